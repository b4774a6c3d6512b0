import { expect, test } from 'vitest';
import type { Prediction } from '../../contracts/prediction.ts';
import type { SampleScore } from '../../contracts/report.ts';
import type { Sample } from '../../contracts/sample.ts';
import { rewardOf } from './reward.ts';

const GOLD = {
  sample_id: 'zoo/zoo/1/rest',
  input: 'Which animals are there?',
  gold_columns: ['name', 'weight'],
  gold_answer: [
    ['ape', 1.5],
    ['bear', 2],
    ['cat', null],
  ],
} as unknown as Sample;

function judged(answer: unknown, score: Partial<SampleScore> = {}, calls: unknown[] = []) {
  const scored = {
    outcome: 'fail',
    epoch: 1,
    intent: null,
    slot: null,
    gold_calls: 2,
    ...score,
  } as SampleScore;
  return rewardOf(GOLD, { sample_id: GOLD.sample_id, answer, calls } as Prediction, scored);
}

test('a pass is worth 1, all else 0', () => {
  expect(judged(null, { outcome: 'pass' })).toMatchObject({
    reward: 1,
    components: { completion: 1, rows: 1 },
  });
  for (const outcome of ['fail', 'unparseable', 'infra_error', 'not_run'] as const) {
    expect(judged(null, { outcome }).reward).toBe(0);
  }
});

test('rows that are in both count twice, by the number of all', () => {
  expect(judged([['ape', 1.5]]).components.rows).toBeCloseTo(2 / 4);
  expect(
    judged([
      ['ape', 1.5000000000001],
      ['cat', null],
      ['dog', 4],
    ]).components.rows,
  ).toBeCloseTo(4 / 6);
  expect(
    judged([
      ['ape', 1.5],
      ['ape', 1.5],
    ]).components.rows,
  ).toBeCloseTo(2 / 5);
  expect(judged([]).components.rows).toBe(0);
  expect(judged(undefined).components.rows).toBeNull();
});

test('calls and slots are the shares of the gold ones that were found', () => {
  const { components } = judged(null, { credit: { calls: 0.5, slots: 0.75 } });
  expect(components).toMatchObject({ calls: 0.5, slots: 0.75 });
  expect(judged(null).components).toMatchObject({ calls: null, slots: null });
});

test('refused, repeated and needless calls are counted', () => {
  const calls = [{ name: 'a', status: 400 }, { name: 'a', status: 200 }, { name: 'b' }];
  expect(judged(null, { calls: 3, redundant_calls: 1 }, calls).penalties).toEqual({
    errors: 1,
    redundant_calls: 1,
    extra_calls: 1,
  });
});
