import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../testing/zoo.ts';
import { DEFAULT_LIMITS } from '../limits.ts';
import { createApp } from './create-app.ts';
import { listen, listenAlso, listenForWorkers } from './listen.ts';

const AT_ONCE = 1000;

test('simultaneous connections wait for a busy process instead of being reset', async (context) => {
  if (systemLimit() < AT_ONCE) return context.skip('this system lets fewer connections wait');
  const server = await listen(fastify(), { port: 0 });
  const script = `
    let connected = 0;
    for (let i = 0; i < ${AT_ONCE}; i++) {
      require('node:net').connect(${new URL(server.address).port}, '127.0.0.1', () => {
        if (++connected === ${AT_ONCE}) done();
      }).on('error', () => {});
    }
    const done = () => { console.log(connected); process.exit(); };
    setTimeout(done, 10_000);`;
  // While this blocks, nothing is accepted.
  const { stdout } = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' });
  await server.stop();
  expect(Number(stdout)).toBe(AT_ONCE);
});

const LATE = /^HTTP\/1.1 400 .*did not arrive whole/s;

test.each([
  ['head', 'GET / HTTP/1.1\r\nhost: a\r\n', LATE],
  [
    'body',
    'POST / HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{',
    LATE,
  ],
  ['first byte', '', /^$/],
])('a request whose %s does not arrive times out', async (_, part, expected) => {
  expect(DEFAULT_LIMITS.arrivalMs).toBe(10_000);
  const arrivalMs = 500;
  const app = await createApp({ ...DEFAULT_LIMITS, arrivalMs }, false);
  app.post('/', async () => ({}));
  const further = await listenAlso(app, { port: 0, option: '--door', arrived: () => {} });
  const server = await listen(app, { port: 0 });
  const began = performance.now();
  const answers = [server.address, further].map((address) => {
    const socket = connect(Number(new URL(address).port), '127.0.0.1');
    socket.write(part);
    return text(socket);
  });
  for (const answer of await Promise.all(answers)) expect(answer).toMatch(expected);
  expect(performance.now() - began).toBeGreaterThan(0.9 * arrivalMs);
  await server.stop();
});

/** Maximum backlog of Linux. */
function systemLimit(): number {
  try {
    return Number(readFileSync('/proc/sys/net/core/somaxconn', 'utf8'));
  } catch {
    return 0;
  }
}

test('forwards thousands of simultaneous requests to another process, rejecting none', async () => {
  const folder = temporaryFolder();
  const app = await createApp(DEFAULT_LIMITS, false);
  onTestFinished(async () => {
    await app.close();
    folder.remove();
  });
  app.get('/here', () => 'yes');
  const socketPath = join(folder.path, 'sibling.sock');
  await listenForWorkers(app, socketPath);
  // Each uses its own connection, all opened before the first is accepted.
  const ask = () =>
    new Promise<number | string>((resolve) => {
      const sent = request({ socketPath, path: '/here', agent: false }, (answer) => {
        answer.resume().once('end', () => resolve(answer.statusCode ?? 0));
      });
      sent.once('error', ({ message }) => resolve(message)).end();
    });
  const said = await Promise.all(Array.from({ length: 1500 }, ask));
  expect(new Set(said)).toEqual(new Set([200]));
});
