import { sameRow } from '../../contracts/answer-rows.ts';
import type { Row } from '../../contracts/catalog.ts';
import type { Reward } from '../../contracts/judgement.ts';
import type { Prediction } from '../../contracts/prediction.ts';
import type { Sample } from '../../contracts/sample.ts';
import { rowsOfAnswer } from '../answer/judge-answer.ts';
import type { ToolUniverse } from '../calls/tool-universe.ts';
import type { Predictions, ScoredFarm } from '../farm/read-farm.ts';
import type { Json } from '../json/lossless.ts';
import { groupBy } from '../metrics/figures.ts';
import type { SampleScore, ScoreOptions } from '../metrics/report.ts';
import { scoreComposed } from './score-composed.ts';
import { DEFAULT_OPTIONS, type ScoreInput } from './score-farm.ts';
import { scoreSample } from './score-sample.ts';
import { type JudgingWorld, judgePass } from './worlds.ts';

/** Maximum rows compared: a longer answer carries no further training signal. */
const MOST_ROWS = 2_000;

/** The reward of a scored attempt. Pure. */
export function rewardOf(sample: Sample, prediction: Prediction, score: SampleScore): Reward {
  const completion = score.outcome === 'pass' ? 1 : 0;
  return toReward(prediction, score, {
    rows: rowsOf(sample, prediction, completion),
    // What it takes to see that there is no answer is open.
    mayCallMore: sample.unanswerable !== undefined,
  });
}

/** The reward of an attempt at a dialogue, or at several requests at once: its rows are the mean of its parts. */
function composedRewardOf(
  prediction: Prediction,
  score: SampleScore,
  samples: ReadonlyMap<string, Sample>,
): Reward {
  const { parts, turns, answer } = prediction;
  const answers = turns?.map((turn) => turn.answer) ?? (Array.isArray(answer) ? answer : []);
  const shares = (score.parts ?? []).flatMap(({ sample_id, expects, passes }, i) => {
    const sample = samples.get(sample_id);
    if (expects !== 'answer' || !sample) return [];
    // With other arguments than the sample's, a request has other rows.
    const given = parts?.[i]?.arguments === undefined ? answers[i] : null;
    const rows = rowsOf(sample, { sample_id, answer: given }, passes ? 1 : 0);
    return rows === null && asksNothing(sample) ? [] : [rows ?? 0];
  });
  const hasAnswer = answers.some((each) => each !== undefined && each !== null);
  const rows =
    hasAnswer && shares.length > 0 ? shares.reduce((sum, each) => sum + each, 0) / shares.length : null;
  return toReward(prediction, score, { rows, mayCallMore: false });
}

function toReward(
  { calls, turns }: Prediction,
  score: SampleScore,
  { rows, mayCallMore }: { readonly rows: number | null; readonly mayCallMore: boolean },
): Reward {
  const completion = score.outcome === 'pass' ? 1 : 0;
  const made = turns?.flatMap((turn) => turn.calls ?? []) ?? calls ?? [];
  return {
    sample_id: score.sample_id,
    epoch: score.epoch,
    outcome: score.outcome,
    reward: completion,
    components: {
      completion,
      rows,
      ...(score.changes
        ? { changes_precision: score.changes.precision, changes_recall: score.changes.recall }
        : {}),
      calls: score.credit?.calls ?? null,
      slots: score.credit?.slots ?? null,
    },
    penalties: {
      errors: made.filter(isRefused).length,
      redundant_calls: score.redundant_calls ?? 0,
      extra_calls: mayCallMore ? 0 : Math.max(0, (score.calls ?? 0) - score.gold_calls),
    },
  };
}

/** null for a task that asks for no rows, only for changes. */
function rowsOf(sample: Sample, { answer }: Prediction, completion: 0 | 1): number | null {
  if (asksNothing(sample)) return null;
  return completion === 1 ? 1 : rowsShared(sample, answer as Json | undefined);
}

function asksNothing({ gold_diff, gold_columns }: Sample): boolean {
  return gold_diff !== undefined && gold_columns.length === 0;
}

function isRefused(call: unknown): boolean {
  const status = typeof call === 'object' && call !== null && 'status' in call ? Number(call.status) : 200;
  return status >= 400;
}

/** The best reading counts; null if no answer was given, or if there is no gold. */
function rowsShared(sample: Sample, answer: Json | undefined): number | null {
  if (answer === undefined || answer === null || sample.unanswerable) return null;
  const { gold_answer: gold } = sample;
  return rowsOfAnswer(sample, answer).reduce((best, rows) => Math.max(best, overlap(gold, rows)), 0);
}

/** Each row pairs with at most one equal row of the other side. */
function overlap(gold: readonly Row[], rows: readonly Row[]): number {
  if (gold.length + rows.length === 0) return 1;
  const byText = groupBy(rows.slice(0, MOST_ROWS), keyOf);
  let shared = 0;
  for (const row of gold.slice(0, MOST_ROWS)) {
    const same = byText.get(keyOf(row));
    const at = same?.findIndex((other) => sameRow(row, other)) ?? -1;
    if (same === undefined || at < 0) continue;
    same.splice(at, 1);
    shared++;
  }
  return (2 * shared) / (gold.length + rows.length);
}

/** The same for equal rows: numbers, which may differ in their last digits, are ignored. */
function keyOf(row: Row): string {
  return JSON.stringify(row.map((cell) => (typeof cell === 'number' || typeof cell === 'bigint' ? 0 : cell)));
}

/** The options that affect judging. Rewards always use the defaults. */
const JUDGING = ['parse', 'judge', 'columns', 'legacy', 'replay', 'budget'] as const;

interface Scores {
  readonly options: ScoreOptions;
  readonly samples: readonly SampleScore[];
}

/**
 * The rewards of all attempts in a prediction file, composed tasks last. Tasks with a withheld gold tool have
 * none. Scores from a report that used the same options are reused.
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
      const score =
        known.get(rewardPredictionsKeyOf(id, epoch)) ??
        (await scoreSample(sample, prediction, epoch, context));
      rewards.push(rewardOf(sample, prediction, score));
    }
  }
  for (const attempts of predictions.composed.values()) {
    for (const [epoch, prediction] of attempts) {
      if (prediction.withheld) continue;
      const score =
        known.get(rewardPredictionsKeyOf(prediction.sample_id, epoch)) ??
        (await scoreComposed(prediction, farm.byId, epoch, context));
      rewards.push(composedRewardOf(prediction, score, farm.byId));
    }
  }
  return rewards;
}

function scoresOf(report: Scores | undefined): ReadonlyMap<string, SampleScore> {
  if (!report || JUDGING.some((name) => report.options[name] !== DEFAULT_OPTIONS[name])) return new Map();
  const own = report.samples.filter(({ withheld }) => !withheld);
  return new Map(own.map((score) => [rewardPredictionsKeyOf(score.sample_id, score.epoch), score]));
}

function rewardPredictionsKeyOf(sampleId: string, epoch: number): string {
  return `${epoch} ${sampleId}`;
}

export interface RobustRewardsInput {
  readonly farm: Pick<ScoredFarm, 'byId'>;
  readonly predictions: Pick<Predictions, 'attempts'>;
  readonly universe: ToolUniverse;
  /** Of the farm itself. */
  readonly replay: ScoreInput['replay'];
  readonly worlds: readonly JudgingWorld[];
  /** Whether worlds cover samples of passes only, and leave others open. */
  readonly onlyPasses?: boolean;
}

/**
 * Adds the component `robust` to rewards by replaying the calls of passes in every world. Rewards of samples that no
 * world judges, and of composed tasks, stay unchanged; if worlds cover passes only, failures still count as not
 * robust. Only passes are replayed.
 */
export async function robustRewards(
  rewards: readonly Reward[],
  { farm, predictions, universe, replay, worlds, onlyPasses = false }: RobustRewardsInput,
): Promise<Reward[]> {
  const judged: Reward[] = [];
  for (const reward of rewards) {
    const { sample_id, epoch, components } = reward;
    const sample = farm.byId.get(sample_id);
    const prediction = predictions.attempts.get(sample_id)?.get(epoch);
    if (prediction === undefined) {
      judged.push(reward);
      continue;
    }
    const keeping = worlds.filter(({ samples }) => samples.has(sample_id)).length;
    const context = { universe, replay, worlds, options: DEFAULT_OPTIONS };
    const { worlds: kept, right } =
      sample && keeping > 0 && reward.reward === 1
        ? await judgePass(sample, prediction, context)
        : { worlds: keeping, right: 0 };
    if (kept === 0 || !sample) {
      const failed = onlyPasses && sample !== undefined && reward.reward === 0;
      judged.push(failed ? { ...reward, components: { ...components, robust: 0 } } : reward);
      continue;
    }
    judged.push({
      ...reward,
      components: { ...components, robust: right === kept ? 1 : 0 },
      worlds: { kept, right },
    });
  }
  return judged;
}
