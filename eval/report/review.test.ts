import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { sampleReview } from '../../contracts/judgement.ts';
import { TINY_SAMPLES, TINY_UNIVERSE, tinyReplay, writeTinyFarm } from '../../tests/support/tiny-farm.ts';
import { readFarm, readPredictions } from '../farm/read-farm.ts';
import type { Report } from '../metrics/report.ts';
import { scoreFarm } from '../score/score-farm.ts';
import { reviewSample } from './review.ts';

const gold = TINY_SAMPLES.find(({ formulation }) => formulation === 'slot');
if (!gold) throw new Error('the tiny farm has no SLOT sample');

let samples: Report['samples'];
beforeAll(async () => {
  const folder = writeTinyFarm();
  const file = join(folder, 'predictions.jsonl');
  const wrong = gold.output.map((call, i) =>
    i === 0 ? { ...call, arguments: { ...call.arguments, condition: 'not_equal_to' } } : call,
  );
  writeFileSync(file, JSON.stringify({ sample_id: gold.sample_id, calls: wrong }));
  const farm = readFarm(folder);
  const predictions = readPredictions(file, farm);
  rmSync(folder, { recursive: true, force: true });
  const options = { resamples: 0 };
  ({ samples } = await scoreFarm({
    farm,
    predictions,
    universe: TINY_UNIVERSE,
    replay: tinyReplay,
    options,
  }));
});

function scored() {
  const found = samples.find(({ sample_id }) => sample_id === gold?.sample_id);
  if (!found) throw new Error('the sample is not scored');
  return found;
}

test('marks and explains the first difference between calls and gold', () => {
  const review = reviewSample(scored(), { gold: true });
  expect(sampleReview.parse(review)).toEqual(review);
  expect(review.first_difference).toBe(0);
  const differing = review.lines[0]?.predicted?.arguments.filter(({ differs }) => differs);
  expect(differing?.map(({ name }) => name)).toEqual(['condition']);
  expect(review.why.join(' ')).toContain(`${gold.output[0]?.name}: condition has another value`);
  expect(review.gold?.query).toBe(gold.query);
});

test('without the gold, nothing reveals it: no gold call, no mark, no reason, no rows', () => {
  const review = reviewSample(scored(), { gold: false });
  expect(review.gold).toBeNull();
  expect([review.first_difference, review.why]).toEqual([null, []]);
  expect(review.lines.every((line) => line.gold === null)).toBe(true);
  expect(JSON.stringify(review)).not.toMatch(/"differs":true|"alone":true/);
  expect(JSON.stringify(review)).not.toContain(gold.query);
  expect(review.scores.map(([name]) => name)).not.toContain('intent, prefix');
});
