import { z } from 'zod';
import { endedBy, type Prediction, turnExpects } from '../../contracts/prediction.ts';
import type { Sample } from '../../contracts/sample.ts';
import { unanswerableKind } from '../../contracts/split.ts';
import { ENDINGS } from '../../contracts/vocabulary.ts';
import { DIFF_FAULTS, type DiffFault } from '../answer/judge-diff.ts';
import type { FinalRows, ParsedAttempt } from '../attempt/attempt.ts';
import type { CallElement } from '../calls/calls.ts';
import type { ToolSchema } from '../calls/tool-universe.ts';
import { scoreBfcl, scoreExactString, scoreExecuted } from './bfcl.ts';
import { turnFacts } from './dialogues.ts';
import { scoreExecution } from './execution-accuracy.ts';
import { argumentFault, wasJudged } from './failures.ts';
import { count, type F1Score, type Mean, ratio, type Share, type Spread, type Triple } from './figures.ts';
import { hybridScore, scoreHybrid } from './hybrid.ts';
import { queryScore, scoreQueryTool } from './query-tool.ts';
import type { SampleScore, ScoreOptions } from './report.ts';
import { scoreSilentFaults, silentFaultScore } from './silent-faults.ts';
import type { SlotSequence } from './trajectory.ts';

/**
 * Every metric: its field in a sample's score (FIELDS), how the field is computed (SCORES), and how it is
 * aggregated and displayed (METRICS), which defines report, tables, thresholds, comparisons and leaderboard.
 */

const triple = z.tuple([count, count, count]);
const verdict = z.boolean().nullable();

/** One part or turn of a composed task. */
export const partScore = z.object({
  sample_id: z.string(),
  expects: turnExpects,
  /** Whether its rows are right, or nothing was called if nothing can be. */
  passes: z.boolean(),
  dialogue: turnFacts.nullish(),
});
export type PartScore = z.infer<typeof partScore>;

/**
 * `right`: declined for the right reason, asked the right question in return, or answered in one of its readings.
 * `wrong`: declined for another reason, or for none. `answered`: anything else. `silent`: no answer at all.
 */
export const unanswerableScore = z.object({
  kind: unanswerableKind,
  verdict: z.enum(['right', 'wrong', 'answered', 'silent']),
});
export type UnanswerableScore = z.infer<typeof unanswerableScore>;

/** How the changes of a run compare with those of the gold. */
export const changesScore = z.object({
  /** The share of the run's changes that are right, and of the gold's that were made. */
  precision: z.number(),
  recall: z.number(),
  /** How often there was each kind of fault. */
  faults: z.partialRecord(z.enum(DIFF_FAULTS), count),
  /** Whether the right thing is to change nothing. */
  refuse: z.boolean(),
});

/** null if a metric does not apply or the prediction lacks the data. New fields need a default, for older reports. */
export const FIELDS = {
  relevance: verdict,
  /** For a failed sample: other tools called in place of gold tools; `called` is null if none was. */
  confusions: z.array(
    z.object({ expected: z.string(), called: z.string().nullable(), offered: z.boolean() }),
  ),
  /** For a failed sample: arguments that differ in calls of the right tool. */
  argument_faults: z.array(argumentFault),
  intent: z.object({ prefix: triple, position: triple, multiset: triple }).nullable(),
  slot: z.object({ raw: triple, canonical: triple, pairs: count }).nullable(),
  /** Shares from which rewards are shaped; see `scoreCredit`. */
  credit: z.object({ calls: z.number(), slots: ratio }).nullable().default(null),
  execution: verdict,
  exact_string: verdict,
  recorded_calls: verdict.default(null),
  /** Error types as in BFCL's score files; `ok` if valid. */
  bfcl: z.object({ faithful: z.string(), fixed: z.string() }).nullable(),
  /** Error types of BFCL's retired checks of the executed call; REST only. */
  executed: z
    .object({ exact: z.string(), real_time: z.string(), structural: z.string(), rest: z.string() })
    .nullable(),
  /** null if the run had no silent faults configured. */
  silent_faults: silentFaultScore.nullable().default(null),
  /** For `query` tasks whose calls are known. */
  query: queryScore.nullable().default(null),
  hybrid: hybridScore.nullable().default(null),
  /** For a question without one answer: why it has none, and how the attempt dealt with it; null for others. */
  unanswerable: unanswerableScore.nullable().default(null),
  /** Whether a question that has an answer was declined; null without an answer that was judged. */
  refused: verdict.default(null),
  /** For tasks that change records: how the run's changes compare with the gold's. */
  changes: changesScore.nullable().default(null),
  /** Of an attempt one of whose live calls was refused as wrong: whether it passes nonetheless. */
  repaired: verdict.default(null),
  /** At the first task of a pair: whether all of the pair are passed; null elsewhere. */
  pair_passes: verdict.default(null),
  /** For a composed task: its parts in order; null for other tasks. */
  parts: z.array(partScore).nullable().default(null),
  /** `error_class` is only given for failures that ended with an `answer`. */
  ended_by: endedBy.or(z.literal('not_run')),
  out_of_budget: verdict,
  stuck_name: verdict,
  stuck_exact: verdict,
  unclassified: verdict,
  calls: count.nullable(),
  redundant_calls: count.nullable(),
  loops: count.nullable(),
  latency_s: ratio,
  input_tokens: count.nullable(),
  output_tokens: count.nullable(),
  cached_tokens: count.nullable(),
  reasoning_tokens: count.nullable(),
  cost: ratio,
};

export const UNSCORED = {
  ...Object.fromEntries(Object.keys(FIELDS).map((field) => [field, null])),
  confusions: [],
  argument_faults: [],
  ended_by: 'not_run',
} as unknown as Pick<SampleScore, keyof typeof FIELDS>;

export interface ScoredAnswer {
  readonly sample: Sample;
  readonly prediction: Prediction;
  readonly final: FinalRows;
  readonly passes: boolean;
  readonly options: ScoreOptions;
}

/** The known calls of an attempt; nested ones are reordered like the gold's. */
export interface ScoredCalls {
  readonly sample: Sample;
  readonly attempt: ParsedAttempt;
  readonly gold: SlotSequence;
  readonly final: FinalRows;
  readonly elements: readonly CallElement[];
  readonly tools: ReadonlyMap<string, ToolSchema>;
}

type Scores<Input> = { readonly [K in keyof SampleScore]?: (input: Input) => SampleScore[K] };

/** Fields computed independently, from answer or calls. `scoreTrajectory` computes those that share work. */
export const SCORES: { readonly answer: Scores<ScoredAnswer>; readonly calls: Scores<ScoredCalls> } = {
  answer: {
    // A task that only changes records asks for no rows.
    execution: ({ sample, final, options }) =>
      sample.gold_diff && sample.gold_columns.length === 0
        ? null
        : final.readings.some((rows) => scoreExecution(sample, rows, options.columns)),
    hybrid: ({ sample, prediction, final }) => scoreHybrid(sample, prediction, final),
    silent_faults: ({ prediction, final, passes }) =>
      scoreSilentFaults(prediction, { passes: passes && final.source === 'answer' }),
  },
  calls: {
    exact_string: ({ gold, attempt }) => scoreExactString(gold.raw, attempt.calls),
    bfcl: ({ sample, attempt, tools }) => scoreBfcl([sample], attempt.calls, tools),
    executed: ({ sample, elements, final, tools }) => scoreExecuted(sample, elements, final, tools),
    query: ({ sample, elements, tools }) => scoreQueryTool(sample, elements, tools),
  },
};

export function scoreFields<Input>(scores: Scores<Input>, input: Input): Partial<SampleScore> {
  return Object.fromEntries(Object.entries(scores).map(([field, score]) => [field, score(input)]));
}

/** A scored sample with the latencies of its calls. */
export type FiguredSample = SampleScore & {
  readonly shown: { readonly transcript: readonly { readonly latency_ms?: number | null | undefined }[] };
};

interface Options {
  /**
   * The samples it covers: `tasks` have an answer and are not withheld, `judged` is a subset of these; else the withheld
   * ones, those without one answer, or all.
   */
  readonly over?: 'tasks' | 'judged' | 'withheld' | 'unanswerable' | 'all';
  /** Computed over no samples if none was run, since nothing is known about the agent then. */
  readonly whenRun?: boolean;
  /** Whether tables omit its row if nothing is counted. */
  readonly onlyCounted?: boolean;
  /** Its label in comparisons and reviews. */
  readonly compared?: string;
  readonly reviewed?: string;
  /** Its leaderboard column, and the runs that have it; `key` is its field in a row, by default its own name. */
  readonly column?: {
    readonly name: string;
    readonly key?: string;
    readonly of?: 'category' | 'nested' | 'unanswerable';
  };
}
interface Of<Kind, Value, S = SampleScore> extends Options {
  readonly kind: Kind;
  /** Its label in tables. */
  readonly title: string;
  /** A sample's contribution; null for none. */
  readonly of: (sample: S) => Value;
}
export type ShareMetric = Of<'share', boolean | null>;
export type F1Metric = Of<'f1', ReturnType<Triple>>;
export type MeanMetric = Of<'mean', number | null> & { readonly digits: number };
export type SpreadMetric = Of<'spread', readonly number[], FiguredSample> & { readonly digits: number };
export type Metric = ShareMetric | F1Metric | MeanMetric | SpreadMetric;
export interface Metrics {
  readonly [name: string]: Metric | Metrics;
}

const judged = { over: 'judged' } as const;
const all = { over: 'all' } as const;

const figure =
  <M extends Metric>(kind: M['kind']) =>
  (title: string, of: M['of'], more: Options = {}) =>
    ({ kind, title, of, ...more }) as M;
const share = figure<ShareMetric>('share');
const f1 = figure<F1Metric>('f1');
const mean = (title: string, digits: number, of: MeanMetric['of'], more: Options = {}): MeanMetric => ({
  ...figure<MeanMetric>('mean')(title, of, more),
  digits,
});
const spread = (title: string, digits: number, of: SpreadMetric['of']): SpreadMetric => ({
  ...figure<SpreadMetric>('spread')(title, of, all),
  digits,
});
const ok = (text: string | undefined) => (text === undefined ? null : text === 'ok');

export const passed = ({ outcome }: SampleScore) => outcome === 'pass';

/** Whether a sample counts for completion: its gold tool was offered, and its question has an answer. */
export function isTask({
  withheld,
  unanswerable = null,
}: Pick<SampleScore, 'withheld'> & Partial<Pick<SampleScore, 'unanswerable'>>): boolean {
  return !withheld && unanswerable === null;
}

const dealt = (title: string, name: string, key: string, verdict: UnanswerableScore['verdict']) =>
  share(title, ({ unanswerable }) => unanswerable && unanswerable.verdict === verdict, {
    over: 'unanswerable',
    column: { name, key, of: 'unanswerable' },
  });
/** Whether a run that changes records had one of some faults. */
const withFault =
  (...kinds: readonly DiffFault[]) =>
  ({ changes }: SampleScore) =>
    changes && kinds.some((kind) => (changes.faults[kind] ?? 0) > 0);
const refusal = (isDue: boolean, of: (s: SampleScore) => boolean | null) => (s: SampleScore) =>
  s.changes?.refuse === isDue ? of(s) : null;

export const METRICS = {
  completion: share('completion', passed, { whenRun: true, compared: 'completion' }),
  completion_strict: share('completion, strict', (s) => s.passes_strictly === true, { whenRun: true }),
  /** As the paper counts. */
  completion_of_run: share('completion of those run', (s) => (s.outcome === 'not_run' ? null : passed(s))),
  completion_without_infra_errors: share('completion without infra errors', (s) =>
    wasJudged(s) ? passed(s) : null,
  ),
  intent: {
    prefix: f1('intent F1, prefix', (s) => s.intent?.prefix ?? null, { compared: 'intent F1, prefix' }),
    position: f1('intent F1, position', (s) => s.intent?.position ?? null),
    multiset: f1('intent F1, multiset', (s) => s.intent?.multiset ?? null),
  },
  slot: {
    raw: f1('slot F1, raw', (s) => s.slot?.raw ?? null),
    canonical: f1('slot F1, canonical', (s) => s.slot?.canonical ?? null, { compared: 'slot F1, canonical' }),
  },
  execution_accuracy: share('execution accuracy', (s) => s.execution, {
    compared: 'execution accuracy',
    reviewed: 'execution accuracy',
  }),
  exact_string: share('exact string of final call', (s) => s.exact_string, {
    compared: 'exact string',
    reviewed: 'exact string',
    column: { name: 'exact string', of: 'nested' },
  }),
  recorded_calls: share('recorded calls', (s) => s.recorded_calls, {
    compared: 'recorded calls',
    reviewed: 'recorded calls',
    column: { name: 'recorded calls', key: 'recorded_calls', of: 'nested' },
  }),
  bfcl: {
    faithful: share('BFCL AST', (s) => ok(s.bfcl?.faithful)),
    fixed: share('BFCL AST, fixed', (s) => ok(s.bfcl?.fixed), {
      column: { name: 'AST', key: 'ast', of: 'category' },
    }),
  },
  executed: {
    exact: share('executed, exact', (s) => ok(s.executed?.exact)),
    real_time: share('executed, within 20 %', (s) => ok(s.executed?.real_time)),
    structural: share('executed, structure', (s) => ok(s.executed?.structural)),
    rest: share('executed, REST', (s) => ok(s.executed?.rest)),
  },
  state: {
    pairs: share('pairs', (s) => s.pair_passes, { column: { name: 'pairs', key: 'pairs' } }),
    precision: mean('precision of changes', 3, (s) => s.changes?.precision ?? null),
    recall: mean('recall of changes', 3, (s) => s.changes?.recall ?? null),
    side_effects: share('side effects', withFault('side_effect', 'wrong_row', 'forbidden'), {
      column: { name: 'side effects', key: 'side_effects' },
    }),
    duplicates: share('duplicate writes', withFault('duplicate'), {
      column: { name: 'duplicate writes', key: 'duplicate_writes' },
    }),
    refused_rightly: share('refused rightly', refusal(true, passed), {
      column: { name: 'refused rightly', key: 'refused_rightly' },
    }),
    refused_wrongly: share('refused wrongly', refusal(false, withFault('refused_in_vain')), {
      column: { name: 'refused wrongly', key: 'refused_wrongly' },
    }),
    faults: Object.fromEntries(
      DIFF_FAULTS.map((kind) => [
        kind,
        share(`changes: ${kind.replaceAll('_', ' ')}`, withFault(kind), { onlyCounted: true }),
      ]),
    ) as Record<DiffFault, ShareMetric>,
  },
  relevance: share('relevance detection', (s) => s.relevance, { over: 'withheld' }),
  /** Over questions without one answer, which are part of no other figure. */
  unanswerable: {
    right: dealt('no one answer: said so rightly', 'said so', 'said_rightly', 'right'),
    wrong: dealt('no one answer: said so wrongly', 'said wrongly', 'said_wrongly', 'wrong'),
    answered: dealt('no one answer: answered anyway', 'answered anyway', 'answered_anyway', 'answered'),
  },
  refused: share('said to have no answer, though it has one', (s) => s.refused, {
    onlyCounted: true,
    column: { name: 'over-refusal', of: 'unanswerable' },
  }),
  repaired: share('right after a refused call', (s) => s.repaired, {
    column: { name: 'repaired', key: 'repaired' },
  }),
  ended_by: Object.fromEntries(
    ENDINGS.map((end) => [
      end,
      share(`ended: ${end.replaceAll('_', ' ')}`, (s) => (wasJudged(s) ? s.ended_by === end : null), {
        onlyCounted: true,
      }),
    ]),
  ) as Record<(typeof ENDINGS)[number], ShareMetric>,
  react: {
    loops: mean('loops', 2, (s) => s.loops, judged),
    out_of_budget: share('out of budget', (s) => s.out_of_budget),
    stuck_name: share('stuck (same function)', (s) => s.stuck_name),
    stuck_exact: share('stuck (same call)', (s) => s.stuck_exact),
    unclassified: share('failed otherwise', (s) => s.unclassified),
  },
  efficiency: {
    calls: mean('calls', 2, (s) => s.calls, judged),
    gold_calls: mean('gold calls', 2, (s) => (s.calls === null ? null : s.gold_calls), judged),
    redundant_calls: mean('redundant calls', 2, (s) => s.redundant_calls, judged),
    input_tokens: mean('input tokens', 0, (s) => s.input_tokens, all),
    output_tokens: mean('output tokens', 0, (s) => s.output_tokens, all),
    cached_tokens: mean('cached tokens', 0, (s) => s.cached_tokens, all),
    reasoning_tokens: mean('reasoning tokens', 0, (s) => s.reasoning_tokens, all),
    /** Per attempt. */
    latency_s: spread('latency, s', 2, (s) => (s.latency_s === null ? [] : [s.latency_s])),
    /** Per call, if the run recorded it. */
    call_latency_ms: spread('latency of a call, ms', 1, (s) =>
      s.shown.transcript.flatMap(({ latency_ms }) => latency_ms ?? []),
    ),
    cost: mean('cost', 6, (s) => s.cost, all),
  },
} satisfies Metrics;

interface FigureOfKind {
  readonly share: Share;
  readonly f1: F1Score;
  readonly mean: Mean;
  readonly spread: Spread;
}

/** The figure computed for a metric, or for each metric of a group. */
export type FigureOf<M> = M extends { readonly kind: infer Kind extends keyof FigureOfKind }
  ? FigureOfKind[Kind]
  : { -readonly [K in keyof M]: FigureOf<M[K]> };

export const isMetric = (each: Metric | Metrics): each is Metric => typeof each.kind === 'string';

/** The metrics of a group and its subgroups, each with its path: `bfcl.fixed`. */
export function flatMetrics(metrics: Metrics, within = ''): [path: string, metric: Metric][] {
  return Object.entries(metrics).flatMap(([name, each]): [string, Metric][] =>
    isMetric(each) ? [[within + name, each]] : flatMetrics(each, `${within}${name}.`),
  );
}

/** The figure of the metric at a path; undefined in older reports. */
export function figureAt(figures: object, path: string): FigureOfKind[keyof FigureOfKind] | undefined {
  return path
    .split('.')
    .reduce((at: unknown, name) => new Map(Object.entries(at ?? {})).get(name), figures) as
    | FigureOfKind[keyof FigureOfKind]
    | undefined;
}
