import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Rookery, type Run } from '../../client/index.ts';
import type { RunView } from '../../contracts/api.ts';
import { seededNumber } from '../../services/base/seeded-order.ts';
import { type RunningServer, startServer } from '../../services/index.ts';
import { farmOf } from '../support/farms.ts';
import { scratchFolder } from '../support/split-fixture.ts';

const RUNS = 200;
const CALLS = 8;
const THINK_MS = 100;
const folder = scratchFolder();
const harnessKey = 'the-key-of-many-runs';
let server: RunningServer;
let farm: Rookery;

beforeAll(async () => {
  server = await startServer(await farmOf('bundled'), {
    port: 0,
    logger: false,
    agents: { runs: { place: join(folder, 'runs.sqlite') }, harnessKey },
  });
  farm = new Rookery(server.address, { harnessKey });
});
afterAll(() => server?.stop());

/** An agent that yields to the others between its calls, and marks each call as its own. */
async function work(run: Run, who: number): Promise<void> {
  const [start] = run.task.start_tables;
  const key_name = Object.values(start?.alias_to_table_dict ?? {})[0]?.modified_table_name ?? '';
  for (let n = 0; n < CALLS; n++) {
    await setTimeout(THINK_MS * seededNumber(1, who, n));
    await run.call('filter_data', {
      data_source: start?.handle,
      key_name,
      condition: 'equal_to',
      value: `${who}/${n}`,
    });
  }
  await run.answer(who);
}

function check(view: RunView, who: number): void {
  expect(view.answer?.answer).toBe(who);
  expect(view.trajectory.map(({ n }) => n)).toEqual(Array.from({ length: CALLS }, (_, n) => n + 1));
  expect(view.trajectory.map((call) => (call.arguments as { value: string }).value)).toEqual(
    Array.from({ length: CALLS }, (_, n) => `${who}/${n}`),
  );
}

test('200 runs at once: none lost, none mixed', async () => {
  const select = { formulation: 'slot', sample: RUNS, seed: 3, all: true };
  const { runs } = await farm.batch({ select, agent: 'crowd' });
  expect(runs).toHaveLength(RUNS);
  await Promise.all(runs.map((run, who) => work(run, who)));
  for (const [who, run] of runs.entries()) check(await run.view(), who);
});
