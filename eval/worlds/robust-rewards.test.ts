import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Sample } from '../../contracts/sample.ts';
import { TINY_SAMPLES, TINY_UNIVERSE, tinyReplay, writeTinyFarm } from '../../tests/support/tiny-farm.ts';
import { linesOf } from '../farm/json-lines.ts';
import { readFarm, type ScoredFarm } from '../farm/read-farm.ts';
import { parsePredictions } from '../farm/read-predictions.ts';
import { rewardPredictions } from '../score/reward-predictions.ts';
import type { JudgingWorld } from './judge-worlds.ts';
import { robustRewards } from './robust-rewards.ts';

let farm: ScoredFarm;
beforeAll(() => {
  farm = readFarm(writeTinyFarm());
});
afterAll(() => rmSync(farm.folder, { recursive: true, force: true }));

const slots = TINY_SAMPLES.filter(({ formulation }) => formulation === 'slot');
const [first, second, third] = slots;
if (!first || !second || !third) throw new Error('the tiny farm has three SLOT samples');

/** A world of which every answer begins with the row `new`, but for those of `as` the farm. */
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

async function judged(worlds: readonly JudgingWorld[], onlyPasses = false) {
  const lines = [
    { sample_id: first?.sample_id, calls: first?.output, answer: first?.gold_answer },
    { sample_id: second?.sample_id, answer: second?.gold_answer },
    { sample_id: third?.sample_id, calls: third?.output, answer: [['no']] },
  ];
  const text = lines.map((line) => JSON.stringify(line)).join('\n');
  const predictions = parsePredictions('here', linesOf(Buffer.from(text)), farm);
  const input = { farm, universe: TINY_UNIVERSE, replay: tinyReplay };
  const rewards = await rewardPredictions(predictions, input);
  return { rewards, robust: await robustRewards(rewards, { ...input, predictions, worlds, onlyPasses }) };
}

test('a pass is robust if its calls are right in each world, and an answer without calls or a failure is not', async () => {
  const { rewards, robust } = await judged([world(slots), world(slots, [first.sample_id])]);
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
  const { robust } = await judged([world(slots), wrong]);
  expect(robust[0]).toMatchObject({
    components: { completion: 1, robust: 0 },
    worlds: { kept: 2, right: 1 },
  });
});

test('where no world keeps the sample there is no such component, rather than 0', async () => {
  const { rewards, robust } = await judged([world([second])]);
  expect(robust[0]).toEqual(rewards[0]);
  expect(robust[1]?.components).toHaveProperty('robust');
  expect((await judged([])).robust).toEqual(rewards);
});

test('in worlds of passes alone a failure is not robust, though none keeps its sample', async () => {
  const { robust } = await judged([world([first])], true);
  expect(robust.map(({ components, worlds }) => [components.robust, worlds])).toEqual([
    [1, { kept: 1, right: 1 }],
    [undefined, undefined],
    [0, undefined],
  ]);
});
