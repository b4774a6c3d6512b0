import { Agent, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../limits.ts';
import { createApp } from './create-app.ts';

const CLIENTS = 100;
const REQUESTS = 20;
const WORK_MS = 0.5;

/** One request over a client's own connection. */
function ask(port: number, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    request({ port, host: '127.0.0.1', path: '/work', agent }, (answer) => {
      answer.resume().once('end', resolve);
    })
      .once('error', reject)
      .end();
  });
}

test('who comes last at a busy server is answered about as soon as those who came first are again', async () => {
  const app = await createApp(DEFAULT_LIMITS, false);
  app.get('/work', (_request, reply) => {
    const until = performance.now() + WORK_MS;
    while (performance.now() < until);
    return reply.send('done');
  });
  await app.listen({ port: 0, host: '127.0.0.1', backlog: 1024 });
  const { port } = app.server.address() as AddressInfo;
  const answered = new Array<number>(CLIENTS).fill(0);
  let most = 0;
  const clients = answered.map(async (_, who) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let n = 0; n < REQUESTS; n++) {
      await ask(port, agent);
      answered[who] = n + 1;
      // Of those that have been answered often while another has not been yet.
      if (answered.includes(0)) most = Math.max(most, n + 1);
    }
    agent.destroy();
  });
  await Promise.all(clients);
  await app.close();
  expect(most).toBeLessThanOrEqual(4);
});
