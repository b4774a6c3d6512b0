import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { Rookery } from '../../client/index.ts';
import { endpoint, parameter, writeZooFarmWithTask } from '../../services/testing/zoo.ts';
import { builtCommand } from '../support/built-package.ts';
import { type LoadTask, lostCalls, recordedLoad } from '../support/recorded-load.ts';
import { scratchFolder } from '../support/split-fixture.ts';
import { freePort, type Supervised, supervise } from '../support/supervised.ts';

const RUNS = 20;
const KILLS = 3;
const BACK_MS = 2000;
/** How long a Node.js that does nothing takes where nothing else is going on. */
const BARE_START_MS = 50;
const KEY = 'the-key-of-whoever-kills';

const byId = endpoint('by_id', 'SELECT id, name FROM animal WHERE id = :id', ['id', 'name'], {
  parameters: [parameter('id', 'integer')],
});
const folder = scratchFolder();
const farm = join(folder, 'farm');
let task: LoadTask;
beforeAll(() => {
  const question = 'What is the first animal called?';
  const { sample_id: sampleId } = writeZooFarmWithTask(farm, { endpoints: [byId], question });
  task = { sampleId, tool: byId.operation_id };
});
const running: Supervised[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((each) => each.stop()));
});

/** One process of a farm, and where it listens. */
async function start(
  args: readonly string[],
): Promise<{ readonly process: Supervised; readonly url: string }> {
  const port = await freePort();
  const process = supervise([await builtCommand(), ...args, '--port', String(port)], {
    ROOKERY_HARNESS_KEY: KEY,
  });
  running.push(process);
  const url = `http://127.0.0.1:${port}`;
  await expect.poll(() => isReady(url), { interval: 20 }).toBe(true);
  return { process, url };
}

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(new URL('/health/ready', url))).ok;
  } catch {
    return false;
  }
}

let files = 0;
function runsFile(): string {
  return join(folder, `runs-${files++}.sqlite`);
}

/** Kills a process again and again while agents work at an address; answers how long each was without answers. */
async function killUnderLoad(killed: Supervised, address: string): Promise<number[]> {
  const load = await recordedLoad(new Rookery(address, { harnessKey: KEY }), task, RUNS);
  await load.untilAnswered(10_000);
  const times: number[] = [];
  for (let i = 0; i < KILLS; i++) {
    const { answered } = load;
    await expect.poll(() => load.answered, { interval: 20 }).toBeGreaterThan(answered + RUNS);
    const before = killed.starts;
    killed.kill();
    await expect.poll(() => killed.starts, { interval: 1 }).toBe(before + 1);
    times.push(await load.untilAnswered(60_000));
  }
  const all = await load.stop();
  const acknowledged = all.reduce((sum, { acknowledged: { length } }) => sum + length, 0);
  expect(acknowledged).toBeGreaterThan(RUNS * KILLS);
  for (const told of all) expect(await lostCalls(told)).toEqual([]);
  return times;
}

/** On a machine so busy that a Node.js that does nothing starts late, everything may be late in proportion. */
async function expectBack(times: readonly number[]): Promise<void> {
  const began = performance.now();
  for (let i = 0; i < 5; i++) await promisify(execFile)(process.execPath, ['-e', '0']);
  const slowness = Math.max(1, (performance.now() - began) / 5 / BARE_START_MS);
  const said = `back after ${times.map(Math.round).join(', ')} ms, ${slowness.toFixed(1)} times as slow as a quiet machine`;
  console.log(said);
  expect(Math.max(...times), said).toBeLessThan(BACK_MS * slowness);
}

test('a server that is killed is back within two seconds, and no acknowledged call is lost', async () => {
  const server = await start(['serve', farm, '--runs', runsFile()]);
  await expectBack(await killUnderLoad(server.process, server.url));
});

/** A farm as it is in containers: services, the process for agents, and a gateway in front. */
async function startFarm() {
  const service = await start(['serve', farm, '--no-runs']);
  const at = ['--services', '1', '--services-at', service.url];
  const agents = await start(['agents', farm, ...at, '--runs', runsFile()]);
  const gateway = await start(['gateway', farm, ...at, '--agents-at', agents.url]);
  return { service, agents, gateway };
}

test.each(['service', 'agents', 'gateway'] as const)(
  'behind a gateway, a killed %s is back within two seconds, and no acknowledged call is lost',
  async (which) => {
    const processes = await startFarm();
    await expectBack(await killUnderLoad(processes[which].process, processes.gateway.url));
  },
);
