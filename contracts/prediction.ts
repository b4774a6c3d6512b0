import { z } from 'zod';
import { silentFaultKind } from './faults.ts';
import { apiUse } from './hybrid.ts';
import type { Formulation } from './sample.ts';
import { ENDINGS, isOfChanges } from './vocabulary.ts';

/**
 * BFCL categories over live endpoints; see docs/running.md. One task each: `simple`, `multiple`, `relevance`,
 * `irrelevance` and `chatting`. Composed of several: `parallel` and `parallel_multiple`. Dialogues of the farm, with their
 * user: `dialogue`, and of these `multi_turn`, `miss_func` and `miss_param`.
 */
export const category = z.enum([
  'simple',
  'multiple',
  'parallel',
  'parallel_multiple',
  'relevance',
  'irrelevance',
  'chatting',
  'multi_turn',
  'miss_func',
  'miss_param',
  'dialogue',
]);
export type Category = z.infer<typeof category>;

export const taskPart = z.strictObject({
  sample_id: z.string(),
  /**
   * Arguments that replace those of the sample's single gold call, if the part asks the same for other
   * values. Its gold rows are then the endpoint's answer, which was proven equal to the SQL for other values
   * too.
   */
  arguments: z.record(z.string(), z.unknown()).optional(),
});
export type TaskPart = z.infer<typeof taskPart>;

/** What a turn of a conversation calls for: an answer, or no call because a function or value is missing. */
export const turnExpects = z.enum(['answer', 'no_call']);
export type TurnExpects = z.infer<typeof turnExpects>;

/** An agent's turn in a conversation. A turn never reached has no calls, answer or output. */
export const predictedTurn = z.strictObject({
  /** The sample that the turn asks about. */
  sample_id: z.string(),
  expects: turnExpects,
  /** The turn's calls, in the form of a prediction's. */
  calls: z.array(z.unknown()).nullish(),
  answer: z.unknown().optional(),
  raw_output: z.string().nullish(),
  /** What the run has changed since it began, and the rules that it broke, once the turn is over. */
  diff: z.array(z.unknown()).nullish(),
  broken_rules: z.array(z.string()).nullish(),
});
export type PredictedTurn = z.infer<typeof predictedTurn>;

/** The answer format in prompts; docs/scoring.md has the whole contract. */
export const ANSWER_FORMAT = [
  'Answer with JSON rows, [[…], …], and nothing else: one inner list a row with just the values that were asked for, in the order asked; a single value may stand alone.',
  'Write numbers as JSON numbers with all their digits (if you must round, keep four significant ones), dates as they are stored, and null for what is missing.',
  'Should there be no right answer, answer {"unanswerable": "<why>"} if the data lack it, a rule forbids it or the question assumes what is not so, or {"clarify": "<question>"} if it can be meant in several ways.',
].join('\n');

/** What tasks that change records ask for, in prompts. */
export const CHANGE_FORMAT =
  'Make the changes that the task asks for, and no others. Then answer "done", or, if the task also asks for something, with that as JSON rows, [[…], …]. What must not be done, do not do in part: change nothing, and answer why.';

/** What to answer with, in prompts. */
export function answerFormat(kind: Formulation): string {
  return isOfChanges(kind) ? CHANGE_FORMAT : ANSWER_FORMAT;
}

/** The rules of a domain, in prompts. */
export function rulesText(rules: readonly string[]): string {
  return ['Rules that hold for every task:', ...rules.map((rule) => `- ${rule}`)].join('\n');
}

/** Optional first line of a prediction file, for the whole run. Unlike a prediction, it has no `sample_id`. */
export const predictionHeader = z.strictObject({
  format: z.literal('rookery-predictions/1').optional(),
  model: z.string().optional(),
  category: category.optional(),
  /** Free-form: temperature, prompt, toolset options, fault profile, …; shown unchanged in the report. */
  settings: z.record(z.string(), z.unknown()).optional(),
  /** sha256 of the run's `farm.json`; predictions for another farm are refused. */
  farm_hash: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
});
export type PredictionHeader = z.infer<typeof predictionHeader>;

/** A silent fault in an answer that the agent received, and whether it repeated the call. */
export const silentFaultMet = z.strictObject({
  fault: silentFaultKind,
  tool: z.string(),
  /** Number of times the same call was repeated afterwards. */
  repeated: z.number().int().nonnegative(),
  /** Whether one of the repeats got the true answer. */
  verified: z.boolean(),
});
export type SilentFaultMet = z.infer<typeof silentFaultMet>;

/** How an attempt ended; `error` means that the run broke. */
export const endedBy = z.enum(['answer', ...ENDINGS, 'error']);
export type EndedBy = z.infer<typeof endedBy>;

/** An agent's attempt at one sample: one line of a prediction file. Unknown fields are an error. */
export const prediction = z.strictObject({
  sample_id: z.string(),
  /** The number of the attempt at the sample, from 1; default 1. */
  epoch: z.number().int().positive().nullish(),
  /**
   * Elements are `{name, arguments, label?, handle?}`, where `handle` is what the call returned on a live
   * farm, plus fields of `seenCall`. They are kept as given, so that malformed ones can be reported.
   */
  calls: z.array(z.unknown()).nullish(),
  /** Rows, a list, a scalar or text. null means that there is no answer. */
  answer: z.unknown().optional(),
  /** `records`: what the run changed on the whole, by the server's record (`recordDiff`); else its calls are replayed. */
  diff: z.array(z.unknown()).nullish(),
  /** `records`: ids of the rules that the run broke, where they are recorded. */
  broken_rules: z.array(z.string()).nullish(),
  /** The model's output; parsed into calls if `calls` is missing or empty, unless they were `recorded`. */
  raw_output: z.string().nullish(),
  /** Whether `calls` were recorded by a server: the list is complete, whatever the model wrote. */
  recorded: z.boolean().nullish(),
  /** SQL that the agent wrote beside its calls; shown in the report, not judged. */
  sql: z.string().nullish(),
  /** Model turns used; a turn with several parallel calls is one loop. */
  loops: z.number().int().nonnegative().nullish(),
  latency_s: z.number().nonnegative().nullish(),
  /** Time spent on completions, and on executing their calls. */
  model_s: z.number().nonnegative().nullish(),
  execution_s: z.number().nonnegative().nullish(),
  api_use: apiUse.nullish(),
  input_tokens: z.number().int().nonnegative().nullish(),
  output_tokens: z.number().int().nonnegative().nullish(),
  /** Input tokens served from the provider's cache. */
  cached_tokens: z.number().int().nonnegative().nullish(),
  /** Output tokens spent on reasoning. */
  reasoning_tokens: z.number().int().nonnegative().nullish(),
  /** Cost of the attempt, in the currency of the prices; computed from tokens and a price table if absent. */
  cost: z.number().nonnegative().nullish(),
  /** Why there is no answer, for display. */
  end_reason: z.string().nullish(),
  /** Set if the run itself broke (rate limit, time-out, crash): the sample counts as `infra_error`. */
  error: z.string().nullish(),
  /** Whether the budget ran out before an answer was given: the attempt fails, whatever its calls returned. */
  out_of_budget: z.boolean().nullish(),
  /**
   * How the attempt ended; derived from the other fields if absent. After `empty` and `length`, a partial
   * answer is judged; after any other ending but `answer` the attempt fails, whatever its calls returned.
   */
  ended_by: endedBy.nullish(),
  /** Whether the gold tool was not offered, so that the right answer is to call nothing. */
  withheld: z.boolean().nullish(),
  doubts: z.string().nullish(),
  /** Silent faults in the answers received, in order; null if none could occur. */
  silent_faults: z.array(silentFaultMet).nullish(),
  /** Composed tasks, named by `sample_id`: the parts. `answer` is then a list with one element each. */
  parts: z.array(taskPart).min(1).max(8).nullish(),
  /** Composed tasks: the record of each turn. `calls` and `answer` are then those of the turns. */
  turns: z.array(predictedTurn).min(1).max(20).nullish(),
  /** Names of the tools offered, if fewer than the whole toolset. */
  tools: z.array(z.string()).nullish(),
  /** sha256 of the list of tools as offered; see docs/agents.md. */
  tools_checksum: z.string().nullish(),
});
export type Prediction = z.infer<typeof prediction>;

/** The runner's observations of a call, as fields of an element of `calls`; all optional. */
export const seenCall = z.object({
  status: z.number().int().nullish(),
  /** Problem code of the response. */
  code: z.string().nullish(),
  rows: z.number().int().nonnegative().nullish(),
  latency_ms: z.number().nonnegative().nullish(),
  fault: z.string().nullish(),
});
export type SeenCall = z.infer<typeof seenCall>;
