import type { Reward } from '../../contracts/reward.ts';
import type { Predictions } from '../farm/read-predictions.ts';
import { rewardOf } from './reward.ts';
import { DEFAULT_OPTIONS, type ScoreInput } from './score-farm.ts';
import { scoreSample } from './score-sample.ts';

/**
 * The rewards of all attempts of a prediction file, in its order. Tasks that are composed of several questions, and those
 * whose gold tool was withheld, have none.
 */
export async function rewardPredictions(
  predictions: Predictions,
  { farm, universe, replay }: Pick<ScoreInput, 'farm' | 'universe' | 'replay'>,
): Promise<Reward[]> {
  const context = {
    options: DEFAULT_OPTIONS,
    universe,
    replay,
    prices: null,
    model: predictions.header.model ?? null,
    goldFactsOf: farm.goldFactsOf,
  };
  const rewards: Reward[] = [];
  for (const [id, attempts] of predictions.attempts) {
    const sample = farm.byId.get(id);
    if (sample === undefined) continue;
    for (const [epoch, prediction] of attempts) {
      rewards.push(rewardOf(sample, prediction, await scoreSample(sample, prediction, epoch, context)));
    }
  }
  return rewards;
}
