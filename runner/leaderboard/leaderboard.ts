import { z } from 'zod';
import { formulation } from '../../contracts/sample.ts';
import { FAILURE_CLASSES } from '../../contracts/vocabulary.ts';
import { ending } from '../../eval/metrics/report.ts';

const ratio = z.number().nullable();

const shares = z.record(z.string(), ratio);

/** Additional figures of runs with the `query` tool; exact match by component and use case. */
export const queryFigures = z.object({
  exact: ratio.default(null),
  /** Most probably the paper's definition. */
  exact_published: ratio.default(null),
  /** AST score by the paper's definition, and by the published code's. */
  ast: ratio.default(null),
  ast_code: ratio.default(null),
  routing: ratio.default(null),
  no_tool: ratio.default(null),
  invalid: ratio.default(null),
  by_component: shares.default({}),
  by_complexity: shares.default({}),
  by_use_case: shares.default({}),
});

/** Additional figures of runs with `hybrid` tasks; execution accuracy with extra columns allowed. */
export const hybridFigures = z.object({
  execution: ratio.default(null),
  exact: ratio.default(null),
  by_share: shares.default({}),
  by_class: shares.default({}),
  by_api: shares.default({}),
  by_depth: shares.default({}),
  /** Mean, median and 95th percentile of an attempt's seconds, and the model's part. */
  seconds: ratio.default(null),
  seconds_p50: ratio.default(null),
  seconds_p95: ratio.default(null),
  model_seconds: ratio.default(null),
  /** Means per attempt, and of the gold plans. */
  api_calls: ratio.default(null),
  rows_moved: ratio.default(null),
  planned_calls: ratio.default(null),
  planned_rows: ratio.default(null),
});

const difference = z.object({
  value: z.number(),
  interval: z.tuple([z.number(), z.number()]).nullable(),
});
export type Difference = z.infer<typeof difference>;

/** One run, own or published, as a row of the leaderboard. null if a figure is unknown. */
export const leaderboardRow = z.object({
  /** From `--name`; else composed of model, agent and options. */
  name: z.string(),
  model: z.string(),
  agent: z.string(),
  formulation,
  /** Non-default options, e.g. `tools=25%`. */
  options: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  split: z.string(),
  n: z.number().int(),
  completion: ratio,
  /** Counting only answers in exactly the required form; null in older reports and published rows. */
  completion_strict: ratio.default(null),
  /** 95 % bootstrap interval over questions. */
  interval: z.tuple([z.number(), z.number()]).nullable(),
  /** The maximum possible under the fixed budget; null if all tasks are possible. */
  ceiling: ratio.default(null),
  intent: z.object({ precision: ratio, recall: ratio, f1: ratio }).nullable(),
  slot: z.object({ precision: ratio, recall: ratio, f1: ratio }).nullable(),
  relevance: ratio,
  /** Composed tasks: their parts, and turns in which nothing can be called. */
  parts: ratio,
  no_call: ratio,
  loops: ratio,
  out_of_budget: ratio,
  /** Shares of attempts that ended without an answer, by ending. */
  ended_by: z.partialRecord(ending, z.number()).default({}),
  /** Completion without passes that are luck in worlds; null if none were judged. */
  robust: ratio,
  /**
   * Completion in worlds minus that on the original farm, over the samples that both ran, with its 95 %
   * interval; null without a run of the same kind in a world.
   */
  world_difference: difference.nullable(),
  /** The same for farms of its split under new names. */
  renamed_difference: difference.nullable().default(null),
  stuck: ratio,
  unclassified: ratio,
  latency_p50: ratio,
  latency_p95: ratio,
  input_tokens: ratio,
  output_tokens: ratio,
  cost: ratio,
  infra_errors: z.number().int().nullable(),
  /** Number of failed samples by reason: endings, and error classes. */
  error_classes: z.partialRecord(z.enum(FAILURE_CLASSES), z.number().int()).nullable(),
  query: queryFigures.nullable().default(null),
  hybrid: hybridFigures.nullable().default(null),
  /** Source of a published row; null for own runs. */
  source: z.string().nullable(),
  run: z.string().nullable(),
});
export type LeaderboardRow = z.infer<typeof leaderboardRow>;

/** Rows in the order of `sortRows`, published ones included. */
export interface Leaderboard {
  readonly rows: readonly LeaderboardRow[];
}
