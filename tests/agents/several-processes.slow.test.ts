import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createProgram } from '../../cli/program.ts';
import { Rookery } from '../../client/index.ts';
import { processOf } from '../../services/agents/runs/run-store.ts';
import { endpoint, parameter, writeZooFarmWithTask } from '../../services/testing/zoo.ts';
import { builtCommand } from '../support/built-package.ts';
import { lostCalls, recordedLoad } from '../support/recorded-load.ts';
import { scratchFolder } from '../support/split-fixture.ts';

const KEY = 'the-key-of-whoever-kills';
const RUNS = 12;
const byId = endpoint('by_id', 'SELECT id, name FROM animal WHERE id = :id', ['id', 'name'], {
  parameters: [parameter('id', 'integer')],
});
const folder = scratchFolder();
const path = join(folder, 'farm');
let pids: readonly number[];
let address: string;
let farm: Rookery;
let sampleId: string;

beforeAll(async () => {
  sampleId = writeZooFarmWithTask(path, { endpoints: [byId], question: 'Who is first?' }).sample_id;
  ({ pids, address } = await serve());
  farm = new Rookery(address, { harnessKey: KEY });
});
const servers: ChildProcess[] = [];
afterAll(async () => {
  for (const server of servers) {
    const gone = once(server, 'exit');
    server.kill();
    await gone;
  }
});

/** Serves the farm by two processes. */
async function serve(...more: string[]): Promise<{ pids: number[]; address: string }> {
  const words = ['serve', path, '--port', '0', '--processes', '2', '--harness-key', KEY, ...more];
  const server = spawn(process.execPath, [await builtCommand(), ...words], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  servers.push(server);
  let text = '';
  for await (const chunk of server.stdout.iterator({ destroyOnReturn: false })) {
    text += chunk;
    const pids = /processes share them: (\d+), (\d+)/.exec(text)?.slice(1).map(Number);
    if (pids) return { pids, address: /http:\/\/[\d.]+:\d+/.exec(text)?.[0] ?? '' };
  }
  throw new Error(`it did not start: ${text}`);
}

test('runs are spread over both, and each is found whoever is asked', async () => {
  const runs = await Promise.all(Array.from({ length: RUNS }, () => farm.run({ sample_id: sampleId })));
  expect(new Set(runs.map(({ id }) => processOf(id)))).toEqual(new Set([0, 1]));
  for (const run of runs) {
    // Each time over another connection.
    const headers = { connection: 'close' };
    for (let n = 0; n < 3; n++) {
      const answer = await farm.send(`${run.base}/call/${byId.operation_id}`, {
        method: 'POST',
        body: '{"id": 1}',
        headers,
      });
      expect(answer.status).toBe(200);
    }
    expect((await run.view()).trajectory).toHaveLength(3);
  }
});

test('a run of a process that there is not any more says so', async () => {
  const answer = await farm.send(`/runs/r07${'0'.repeat(24)}`);
  expect([answer.status, await answer.json()]).toMatchObject([503, { code: 'AGENTS_UNAVAILABLE' }]);
});

test('one that is killed loses nothing acknowledged, while the other goes on, and comes back', async () => {
  const load = await recordedLoad(farm, { sampleId, tool: byId.operation_id }, RUNS);
  await load.untilAnswered(60_000);
  for (const [killed, pid] of pids.entries()) {
    const { answered } = load;
    const order: string[] = [];
    // Half of these are handed to the process that stands still, which never accepts them.
    process.kill(pid, 'SIGSTOP');
    const connections = Array.from({ length: 4 }, () => liveness(address));
    await setTimeout(500);
    process.kill(pid, 'SIGKILL');
    const answers = async (isOne: boolean, name: string) => {
      await load.untilAnswered(60_000, ({ id }) => (processOf(id) === killed) === isOne);
      order.push(name);
    };
    await Promise.all([answers(false, 'the other goes on'), answers(true, 'the killed one is back')]);
    expect(order).toEqual(['the other goes on', 'the killed one is back']);
    // None waits for ever, and those of the other process were answered.
    expect(await Promise.all(connections)).toContain('HTTP/1.1 200 OK');
    await expect.poll(() => load.answered).toBeGreaterThan(answered + RUNS);
  }
  const all = await load.stop();
  for (const told of all) expect(await lostCalls(told)).toEqual([]);
  for (const { acknowledged } of all) expect(acknowledged.length).toBeGreaterThan(0);
});

test('the runs of all processes are listed, and exported together', async () => {
  const written: string[] = [];
  const write = process.stdout.write;
  process.stdout.write = (text) => written.push(String(text)) > 0;
  try {
    const program = await createProgram(['runs']);
    await program.parseAsync(['runs', 'list', path], { from: 'user' });
  } finally {
    process.stdout.write = write;
  }
  const ids = [...written.join('').matchAll(/^(r[0-9a-f]{26}) /gm)].map(([, id]) => id ?? '');
  expect(ids).toHaveLength(2 * RUNS);
  expect(new Set(ids.map(processOf))).toEqual(new Set([0, 1]));
});

test('all that are killed at once come back to the address where they were', async () => {
  const served = await serve('--no-runs');
  for (const pid of served.pids) process.kill(pid, 'SIGKILL');
  await expect.poll(() => liveness(served.address)).toBe('HTTP/1.1 200 OK');
});

/** The status line of `GET /health/live` over a connection of its own; '' if that is closed without an answer. */
async function liveness(address: string): Promise<string> {
  const { hostname, port } = new URL(address);
  const socket = connect(Number(port), hostname);
  let text = '';
  socket
    .on('error', () => {})
    .on('data', (chunk) => {
      text += chunk;
    });
  socket.write('GET /health/live HTTP/1.1\r\nhost: farm\r\nconnection: close\r\n\r\n');
  await new Promise((resolve) => socket.once('close', resolve));
  return text.split('\r\n', 1)[0] ?? '';
}
