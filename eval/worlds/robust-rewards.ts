import type { Reward } from '../../contracts/reward.ts';
import type { ToolUniverse } from '../calls/tool-universe.ts';
import type { ScoredFarm } from '../farm/read-farm.ts';
import type { Predictions } from '../farm/read-predictions.ts';
import { DEFAULT_OPTIONS } from '../score/score-farm.ts';
import { type JudgingWorld, judgePass } from './judge-worlds.ts';

export interface RobustRewardsInput {
  readonly farm: Pick<ScoredFarm, 'byId'>;
  readonly predictions: Pick<Predictions, 'attempts'>;
  readonly universe: ToolUniverse;
  readonly worlds: readonly JudgingWorld[];
  /** Whether worlds keep samples of passes only, and say nothing of others. */
  readonly onlyPasses?: boolean;
}

/**
 * The same rewards with the component `robust`: the calls of passes are replayed in every world. Rewards of samples that
 * no world keeps stay as they are; where worlds keep those of passes only, failures are not robust all the same. Only
 * passes cost anything.
 */
export async function robustRewards(
  rewards: readonly Reward[],
  { farm, predictions, universe, worlds, onlyPasses = false }: RobustRewardsInput,
): Promise<Reward[]> {
  const judged: Reward[] = [];
  for (const reward of rewards) {
    const { sample_id, epoch, components } = reward;
    const sample = farm.byId.get(sample_id);
    const kept = worlds.filter(({ samples }) => samples.has(sample_id)).length;
    if (kept === 0 || !sample) {
      const failed = onlyPasses && sample !== undefined && reward.reward === 0;
      judged.push(failed ? { ...reward, components: { ...components, robust: 0 } } : reward);
      continue;
    }
    const prediction = predictions.attempts.get(sample_id)?.get(epoch);
    const context = { universe, worlds, options: DEFAULT_OPTIONS };
    const right = reward.reward === 1 ? (await judgePass(sample, prediction, context)).right : 0;
    judged.push({
      ...reward,
      components: { ...components, robust: right === kept ? 1 : 0 },
      worlds: { kept, right },
    });
  }
  return judged;
}
