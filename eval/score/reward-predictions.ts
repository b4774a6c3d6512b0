import type { SampleScore, ScoreOptions } from '../../contracts/report.ts';
import type { Reward } from '../../contracts/reward.ts';
import type { Predictions } from '../farm/read-predictions.ts';
import { rewardOf } from './reward.ts';
import { DEFAULT_OPTIONS, type ScoreInput } from './score-farm.ts';
import { scoreSample } from './score-sample.ts';

/** What decides how a sample is judged. Rewards are always by the defaults. */
const JUDGING = ['parse', 'judge', 'columns', 'legacy', 'replay', 'budget'] as const;

/** Of a report. */
interface Scores {
  readonly options: ScoreOptions;
  readonly samples: readonly SampleScore[];
}

/**
 * The rewards of all attempts of a prediction file, in its order. Tasks that are composed of several questions, and those
 * whose gold tool was withheld, have none. What a report has judged by the same rules is not judged again.
 */
export async function rewardPredictions(
  predictions: Predictions,
  { farm, universe, replay }: Pick<ScoreInput, 'farm' | 'universe' | 'replay'>,
  report?: Scores,
): Promise<Reward[]> {
  const known = scoresOf(report);
  const context = {
    options: DEFAULT_OPTIONS,
    universe,
    replay,
    prices: null,
    model: predictions.header.model ?? null,
    goldFactsOf: farm.goldFactsOf,
    onlyRewards: true,
  };
  const rewards: Reward[] = [];
  for (const [id, attempts] of predictions.attempts) {
    const sample = farm.byId.get(id);
    if (sample === undefined) continue;
    for (const [epoch, prediction] of attempts) {
      const score = known.get(keyOf(id, epoch)) ?? (await scoreSample(sample, prediction, epoch, context));
      rewards.push(rewardOf(sample, prediction, score));
    }
  }
  return rewards;
}

function scoresOf(report: Scores | undefined): ReadonlyMap<string, SampleScore> {
  if (!report || JUDGING.some((name) => report.options[name] !== DEFAULT_OPTIONS[name])) return new Map();
  const own = report.samples.filter(({ withheld, parts }) => !withheld && parts === null);
  return new Map(own.map((score) => [keyOf(score.sample_id, score.epoch), score]));
}

function keyOf(sampleId: string, epoch: number): string {
  return `${epoch} ${sampleId}`;
}
