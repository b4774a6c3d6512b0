import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Prediction } from '../../contracts/prediction.ts';
import type { Sample } from '../../contracts/sample.ts';
import { TINY_SAMPLES, TINY_UNIVERSE, tinyReplay, writeTinyFarm } from '../../tests/support/tiny-farm.ts';
import type { Replay } from '../attempt/attempt.ts';
import { linesOf, parsePredictions, readFarm, readPredictions, type ScoredFarm } from '../farm/read-farm.ts';
import type { SampleScore, ScoreOptions } from '../metrics/report.ts';
import { scoreCredit } from '../metrics/trajectory.ts';
import { rewardOf, rewardPredictions, robustRewards } from './rewards.ts';
import { scoreFarm } from './score-farm.ts';
import type { JudgingWorld } from './worlds.ts';

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

test('rows are scored by F1', () => {
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

test('if no call is due, only making none is right', () => {
  const call = { name: 'delete_pet', arguments: { key: 1 }, label: null };
  expect(scoreCredit([], [], 0, new Map())).toEqual({ calls: 1, slots: null });
  expect(scoreCredit([], [call], 0, new Map())).toEqual({ calls: 0, slots: null });
});

test('refused, repeated and needless calls are counted', () => {
  const calls = [{ name: 'a', status: 400 }, { name: 'a', status: 200 }, { name: 'b' }];
  expect(judged(null, { calls: 3, redundant_calls: 1 }, calls).penalties).toEqual({
    errors: 1,
    redundant_calls: 1,
    extra_calls: 1,
  });
});

let farm: ScoredFarm;
beforeAll(() => {
  farm = readFarm(writeTinyFarm());
});
afterAll(() => rmSync(farm.folder, { recursive: true, force: true }));

/** Scores calls of two samples, some right and some not, and rewards them, beside how often calls were replayed for it. */
async function rewardAfter(options: Partial<ScoreOptions>) {
  const samples = TINY_SAMPLES.filter(({ formulation }) => formulation === 'slot').slice(0, 2);
  const lines = samples.flatMap(({ sample_id, output }) => [
    { sample_id, calls: output },
    { sample_id, epoch: 2, calls: output.slice(0, 1) },
    { sample_id, epoch: 3, answer: [['no']] },
  ]);
  const file = join(farm.folder, 'predictions.jsonl');
  writeFileSync(file, lines.map((line) => JSON.stringify(line)).join('\n'));
  const predictions = readPredictions(file, farm);
  let replays = 0;
  const replay: Replay = (...given) => {
    replays++;
    return tinyReplay(...given);
  };
  const input = { farm, universe: TINY_UNIVERSE, replay };
  const report = await scoreFarm({ ...input, predictions, options: { resamples: 0, ...options } });
  const scored = replays;
  const rewards = await rewardPredictions(predictions, input, report);
  return {
    rewards,
    alone: await rewardPredictions(predictions, input),
    replays: { scored, more: replays - scored },
  };
}

test('scores of a report are reused, with the same rewards', async () => {
  const { rewards, alone, replays } = await rewardAfter({});
  expect(rewards).toEqual(alone);
  expect(rewards.map(({ reward }) => reward)).toEqual([1, 0, 0, 1, 0, 0]);
  // Those of the second time are of the rewards without a report.
  expect(replays.more).toBe(replays.scored);
  expect(replays.scored).toBeGreaterThan(0);
});

test('a report with other options is not reused', async () => {
  const { rewards, alone, replays } = await rewardAfter({ legacy: true });
  expect(rewards).toEqual(alone);
  expect(replays.more).toBeGreaterThan(replays.scored);
});

let robustRewardsFarm: ScoredFarm;
beforeAll(() => {
  robustRewardsFarm = readFarm(writeTinyFarm());
});
afterAll(() => rmSync(robustRewardsFarm.folder, { recursive: true, force: true }));

const slots = TINY_SAMPLES.filter(({ formulation }) => formulation === 'slot');
const [first, second, third] = slots;
if (!first || !second || !third) throw new Error('the tiny farm has three SLOT samples');

/** A world whose answers begin with the row `new`, except those in `as`, which are the farm’s. */
function world(kept: readonly Sample[], as: readonly string[] = []): JudgingWorld {
  const isSame = (id: string) => as.includes(id);
  const moved = kept.map((sample) =>
    isSame(sample.sample_id) ? sample : { ...sample, gold_answer: [['new'], ...sample.gold_answer] },
  );
  return {
    samples: new Map(moved.map((sample) => [sample.sample_id, sample])),
    async replay(sample, calls) {
      const result = await tinyReplay(sample, calls);
      if ('error' in result || isSame(sample.sample_id)) return result;
      return { ...result, rows: [['new'], ...result.rows] };
    },
  };
}

async function robustRewardsJudged(worlds: readonly JudgingWorld[], onlyPasses = false) {
  const lines = [
    { sample_id: first?.sample_id, calls: first?.output, answer: first?.gold_answer },
    { sample_id: second?.sample_id, answer: second?.gold_answer },
    { sample_id: third?.sample_id, calls: third?.output, answer: [['no']] },
  ];
  const text = lines.map((line) => JSON.stringify(line)).join('\n');
  const predictions = parsePredictions('here', linesOf(Buffer.from(text)), robustRewardsFarm);
  const input = { farm: robustRewardsFarm, universe: TINY_UNIVERSE, replay: tinyReplay };
  const rewards = await rewardPredictions(predictions, input);
  return { rewards, robust: await robustRewards(rewards, { ...input, predictions, worlds, onlyPasses }) };
}

test('a pass is robust if its calls are right in each world, and an answer without calls or a failure is not', async () => {
  const { rewards, robust } = await robustRewardsJudged([world(slots), world(slots, [first.sample_id])]);
  expect(robust.map(({ reward, components, worlds }) => [reward, components.robust, worlds])).toEqual([
    [1, 1, { kept: 2, right: 2 }],
    [1, 0, { kept: 2, right: 0 }],
    [0, 0, { kept: 2, right: 0 }],
  ]);
  const without = robust.map(({ worlds: _, components: { robust: __, ...components }, ...rest }) => ({
    ...rest,
    components,
  }));
  expect(without).toEqual(rewards);
});

test('a pass whose calls are wrong in one of the worlds is not robust', async () => {
  const wrong: JudgingWorld = { ...world(slots), replay: tinyReplay };
  const { robust } = await robustRewardsJudged([world(slots), wrong]);
  expect(robust[0]).toMatchObject({
    components: { completion: 1, robust: 0 },
    worlds: { kept: 2, right: 1 },
  });
});

test('the component is absent rather than 0 if no world keeps the sample', async () => {
  const { rewards, robust } = await robustRewardsJudged([world([second])]);
  expect(robust[0]).toEqual(rewards[0]);
  expect(robust[1]?.components).toHaveProperty('robust');
  expect((await robustRewardsJudged([])).robust).toEqual(rewards);
});

test('in worlds of passes only, a failure is not robust, although none keeps its sample', async () => {
  const { robust } = await robustRewardsJudged([world([first])], true);
  expect(robust.map(({ components, worlds }) => [components.robust, worlds])).toEqual([
    [1, { kept: 1, right: 1 }],
    [undefined, undefined],
    [0, undefined],
  ]);
});

test('several requests at once have the reward of their parts together', async () => {
  const [one, two] = TINY_SAMPLES.filter(({ formulation }) => formulation === 'rest') as [Sample, Sample];
  const parts = [one, two].map(({ sample_id }) => ({ sample_id }));
  const calls = [...one.output, ...two.output];
  const answers = [
    [one.gold_answer, two.gold_answer],
    [one.gold_answer, [['no']]],
    [[['no']], null],
  ];
  const lines = answers.map((answer, i) => ({
    sample_id: 'tiny/shop/0+1/parallel',
    epoch: i + 1,
    parts,
    answer,
    calls,
  }));
  const text = lines.map((line) => JSON.stringify(line)).join('\n');
  const predictions = parsePredictions('here', linesOf(Buffer.from(text)), robustRewardsFarm);
  const input = { farm: robustRewardsFarm, universe: TINY_UNIVERSE, replay: tinyReplay };
  const rewards = await rewardPredictions(predictions, input);
  expect(rewards.map(({ reward, components: { rows } }) => [reward, rows])).toEqual([
    [1, 1],
    [0, 0.5],
    [0, 0],
  ]);
  expect(rewards.map(({ components }) => [components.calls, components.slots])).toEqual([
    [1, 1],
    [1, 1],
    [1, 1],
  ]);
  const report = await scoreFarm({ ...input, predictions, options: { resamples: 0 } });
  expect(await rewardPredictions(predictions, input, report)).toEqual(rewards);
  const worlds = [world(TINY_SAMPLES)];
  expect(await robustRewards(rewards, { ...input, predictions, worlds })).toEqual(rewards);
});
