import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ScoreOptions } from '../../contracts/report.ts';
import { TINY_SAMPLES, TINY_UNIVERSE, tinyReplay, writeTinyFarm } from '../../tests/support/tiny-farm.ts';
import { readFarm, type ScoredFarm } from '../farm/read-farm.ts';
import { readPredictions } from '../farm/read-predictions.ts';
import type { Replay } from './replay.ts';
import { rewardPredictions } from './reward-predictions.ts';
import { scoreFarm } from './score-farm.ts';

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

test('what a report has judged is not judged again, and is worth the same', async () => {
  const { rewards, alone, replays } = await rewardAfter({});
  expect(rewards).toEqual(alone);
  expect(rewards.map(({ reward }) => reward)).toEqual([1, 0, 0, 1, 0, 0]);
  // Those of the second time are of the rewards without a report.
  expect(replays.more).toBe(replays.scored);
  expect(replays.scored).toBeGreaterThan(0);
});

test('a report by other rules decides no reward', async () => {
  const { rewards, alone, replays } = await rewardAfter({ legacy: true });
  expect(rewards).toEqual(alone);
  expect(replays.more).toBeGreaterThan(replays.scored);
});
