import type { Report, WorldsReport } from '../../contracts/report.ts';
import type { Reward } from '../../contracts/reward.ts';
import type { ToolUniverse } from '../../eval/calls/tool-universe.ts';
import type { ScoredFarm } from '../../eval/farm/read-farm.ts';
import type { Predictions } from '../../eval/farm/read-predictions.ts';
import { type JudgingWorld, judgeWorlds } from '../../eval/worlds/judge-worlds.ts';
import { robustRewards } from '../../eval/worlds/robust-rewards.ts';
import { type WorldsToMake, makeJudgingWorlds } from './make-judging-worlds.ts';

/** Known to everybody. Give another one where agents may have been made to fit these worlds. */
export const DEFAULT_WORLD_SEED = 'rookery';

export interface RunToJudge {
  readonly folder: string;
  readonly farm: ScoredFarm;
  readonly predictions: Predictions;
  readonly universe: ToolUniverse;
  readonly report: Report;
  /** Of all attempts, those that the report leaves out among them. */
  readonly rewards?: readonly Reward[];
  /** Worlds at hand, in which rewards are to be robust too. */
  readonly given?: readonly JudgingWorld[];
}

/**
 * Makes worlds of the domains that have passes, and replays the calls of these there: for the report, and for the
 * component `robust` of the rewards.
 */
export async function judgeInWorlds(
  { folder, farm, predictions, universe, report, rewards = [], given = [] }: RunToJudge,
  options: WorldsToMake,
): Promise<{ readonly worlds: WorldsReport; readonly rewards: readonly Reward[] }> {
  const passes = report.samples.filter(
    // A composed task is of no world as a whole.
    ({ outcome, withheld, parts }) => outcome === 'pass' && !withheld && parts === null,
  );
  const due = [...passes, ...rewards.filter(({ reward }) => reward === 1)];
  const samples = new Set(due.flatMap(({ sample_id }) => farm.byId.get(sample_id) ?? []));
  const made = await makeJudgingWorlds(folder, [...samples], options);
  try {
    const judged = await judgeWorlds({
      farm,
      predictions,
      universe,
      worlds: made.worlds,
      options: report.options,
      passes,
      onProgress: (done, total) => options.progress.update('robust', done, total),
    });
    const worlds = [...given, ...made.worlds];
    const robust = await robustRewards(rewards, { farm, predictions, universe, worlds, onlyPasses: true });
    return { worlds: judged, rewards: robust };
  } finally {
    await made.close();
  }
}
