import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import fastify from 'fastify';
import { expect, test } from 'vitest';
import { listen } from './listen.ts';

const AT_ONCE = 1000;

test('agents that come at the same moment wait for a busy process, and are not turned away', async (context) => {
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
  // As long as this waits, nothing is accepted.
  const { stdout } = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' });
  await server.stop();
  expect(Number(stdout)).toBe(AT_ONCE);
});

/** How many connections Linux lets wait at most. */
function systemLimit(): number {
  try {
    return Number(readFileSync('/proc/sys/net/core/somaxconn', 'utf8'));
  } catch {
    return 0;
  }
}
