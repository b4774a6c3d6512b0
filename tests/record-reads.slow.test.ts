import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OpenedFarm, openFarmAccess } from '../cli/run/farm-access.ts';
import { type OpenFarm, openFarm } from '../cli/score/open-farm.ts';
import { DEFAULT_REFERENCE_TIME } from '../contracts/split.ts';
import { readFarm } from '../eval/farm/read-farm.ts';
import { generate } from '../generator/generate.ts';
import { initSplit } from '../generator/init-split.ts';
import { runCellOn } from './support/run-cell-on.ts';
import { scratchFolder } from './support/split-fixture.ts';

const folder = scratchFolder();
const place = join(folder, 'farm');
let farm: OpenedFarm;
let open: OpenFarm;
beforeAll(async () => {
  const split = join(folder, 'split');
  await initSplit(split);
  await generate(split, {
    out: place,
    referenceTime: DEFAULT_REFERENCE_TIME,
    timeoutMs: 30_000,
    reads: true,
  });
  [farm, open] = [await openFarmAccess(place, {}), await openFarm(place)];
});
afterAll(async () => {
  await open.close();
  await farm.close();
});

test('questions that one list answers are tasks that change nothing, beside those of the other formulations', () => {
  const { samples } = readFarm(place);
  const [listed, ...others] = samples.filter(({ formulation }) => formulation === 'records');
  expect(others).toEqual([]);
  const rest = samples.find(
    ({ formulation, question_id }) => formulation === 'rest' && question_id === listed?.question_id,
  );
  expect(listed).toMatchObject({
    output: [{ name: 'list_book', arguments: { pages__gt: 300 } }],
    gold_diff: [],
    gold_answer: rest?.gold_answer,
  });
});

test.each([
  ['oracle', undefined, 1],
  ['tools', 'mock/gold', 1],
  ['tools', 'mock/silent', 0],
] as const)('of %s %s, %i passes', async (agent, model, count) => {
  const config = { agent, model, formulation: 'records', select: { all: true } } as const;
  const { report } = await runCellOn(farm, open, config);
  expect(report.metrics.completion).toMatchObject({ count, n: 1 });
});
