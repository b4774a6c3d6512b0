import { z } from 'zod';
import { formulation } from '../../contracts/sample.ts';
import { FAILURE_CLASSES } from '../../contracts/vocabulary.ts';
import { ending } from '../../eval/metrics/report.ts';

const ratio = z.number().nullable();

const shares = z.record(z.string(), ratio);

/** What is told of runs with the `query` tool besides; exact match by component and use case. */
export const queryFigures = z.object({
  exact: ratio.default(null),
  /** As the paper counts, most probably. */
  exact_published: ratio.default(null),
  /** By the paper's rule, and by the published code's. */
  ast: ratio.default(null),
  ast_code: ratio.default(null),
  routing: ratio.default(null),
  no_tool: ratio.default(null),
  invalid: ratio.default(null),
  by_component: shares.default({}),
  by_complexity: shares.default({}),
  by_use_case: shares.default({}),
});

/** What is told of runs with `hybrid` tasks besides; execution accuracy with extra columns forgiven, by share, class, API and depth. */
export const hybridFigures = z.object({
  execution: ratio.default(null),
  exact: ratio.default(null),
  by_share: shares.default({}),
  by_class: shares.default({}),
  by_api: shares.default({}),
  by_depth: shares.default({}),
  /** Mean, median and 95th percentile of an attempt's seconds, and what the model took of them. */
  seconds: ratio.default(null),
  seconds_p50: ratio.default(null),
  seconds_p95: ratio.default(null),
  model_seconds: ratio.default(null),
  /** Means of an attempt, and of the gold plans. */
  api_calls: ratio.default(null),
  rows_moved: ratio.default(null),
  planned_calls: ratio.default(null),
  planned_rows: ratio.default(null),
});

/** One run, ours or published, as a row of the leaderboard. null where a figure is not known. */
export const leaderboardRow = z.object({
  /** As given with `--name`; else made of model, agent and options. */
  name: z.string(),
  model: z.string(),
  agent: z.string(),
  formulation,
  /** What differs from the usual, `tools=25%`. */
  options: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  split: z.string(),
  n: z.number().int(),
  /** Of all that was attempted. */
  completion: ratio,
  /** The same of answers in exactly the form that the answer contract asks for; null in older reports and published rows. */
  completion_strict: ratio.default(null),
  /** 95 % by bootstrap over questions. */
  interval: z.tuple([z.number(), z.number()]).nullable(),
  /** What no agent could exceed under its fixed budget; null where that is all. */
  ceiling: ratio.default(null),
  intent: z.object({ precision: ratio, recall: ratio, f1: ratio }).nullable(),
  slot: z.object({ precision: ratio, recall: ratio, f1: ratio }).nullable(),
  relevance: ratio,
  /** Of composed tasks: their parts, and their turns in which nothing can be called. */
  parts: ratio,
  no_call: ratio,
  loops: ratio,
  out_of_budget: ratio,
  /** Shares of the attempts that ended other than with an answer, of the ways in which any did. */
  ended_by: z.partialRecord(ending, z.number()).default({}),
  /** Completion without the passes that are luck in worlds; null where none were judged. */
  robust: ratio,
  /**
   * Completion in worlds minus that on the farm which they were made from, over the samples that both ran, with its 95 %
   * interval; null without a run of the same kind in a world.
   */
  world_difference: z
    .object({ value: z.number(), interval: z.tuple([z.number(), z.number()]).nullable() })
    .nullable(),
  stuck: ratio,
  unclassified: ratio,
  /** Seconds of an attempt. */
  latency_p50: ratio,
  latency_p95: ratio,
  input_tokens: ratio,
  output_tokens: ratio,
  /** Of the whole run. */
  cost: ratio,
  infra_errors: z.number().int().nullable(),
  /** How many samples failed for which reason: endings, and error classes of agents. */
  error_classes: z.partialRecord(z.enum(FAILURE_CLASSES), z.number().int()).nullable(),
  /** null for any other formulation. */
  query: queryFigures.nullable().default(null),
  hybrid: hybridFigures.nullable().default(null),
  /** Where a published row is from; null for our own. */
  source: z.string().nullable(),
  /** The folder of a run of ours. */
  run: z.string().nullable(),
});
export type LeaderboardRow = z.infer<typeof leaderboardRow>;

/** Rows as `sortRows` has them; published ones among them. */
export interface Leaderboard {
  readonly rows: readonly LeaderboardRow[];
}
