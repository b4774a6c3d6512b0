import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { builtCommand } from '../support/built-package.ts';
import { farmOf } from '../support/farms.ts';
import { lostCalls, recordedLoad } from '../support/recorded-load.ts';
import { freePort, type Supervised, supervise } from '../support/supervised.ts';

const RUNS = 20;
const KILLS = 3;
const BACK_MS = 2000;
const KEY = 'the-key-of-whoever-kills';

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

function runsFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'rookery-killed-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'runs.sqlite');
}

/** Kills a process again and again while agents work at an address; answers how long each was without answers. */
async function killUnderLoad(killed: Supervised, address: string): Promise<number[]> {
  const load = await recordedLoad(address, KEY, RUNS);
  await load.untilAnswered(10_000);
  const times: number[] = [];
  for (let i = 0; i < KILLS; i++) {
    await setTimeout(300);
    const before = killed.starts;
    killed.kill();
    await expect.poll(() => killed.starts, { interval: 1 }).toBe(before + 1);
    times.push(await load.untilAnswered(60_000));
  }
  await setTimeout(300);
  const all = await load.stop();
  const acknowledged = all.reduce((sum, { acknowledged: { length } }) => sum + length, 0);
  expect(acknowledged).toBeGreaterThan(RUNS * KILLS);
  for (const told of all) expect(await lostCalls(told)).toEqual([]);
  return times;
}

function expectBack(times: readonly number[]): void {
  expect(Math.max(...times), `back after ${times.map(Math.round).join(', ')} ms`).toBeLessThan(BACK_MS);
}

test('a server that is killed is back within two seconds, and no acknowledged call is lost', async () => {
  const server = await start(['serve', await farmOf('bundled'), '--runs', runsFile()]);
  expectBack(await killUnderLoad(server.process, server.url));
});

/** A farm as it is in containers: services, the process for agents, and a gateway in front. */
async function startFarm() {
  const farm = await farmOf('bundled');
  const service = await start(['serve', farm, '--no-runs']);
  const at = ['--services', '1', '--services-at', service.url];
  const agents = await start(['agents', farm, ...at, '--runs', runsFile()]);
  const gateway = await start(['gateway', farm, ...at, '--agents-at', agents.url]);
  return { service, agents, gateway };
}

test.each(['service', 'agents', 'gateway'] as const)(
  'behind a gateway, a killed %s is back within two seconds, and no acknowledged call is lost',
  async (which) => {
    const farm = await startFarm();
    expectBack(await killUnderLoad(farm[which].process, farm.gateway.url));
  },
);
