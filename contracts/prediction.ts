import { z } from 'zod';
import { silentFaultKind } from './faults.ts';
import { apiUse } from './hybrid.ts';
import { ENDINGS } from './vocabulary.ts';

/**
 * Categories of BFCL over live endpoints; see docs/running.md. Of one task each: `simple`, `multiple`, `relevance`,
 * `irrelevance` and `chatting`. Composed of several: `parallel` and `parallel_multiple` in one request, `multi_turn`,
 * `miss_func` and `miss_param` in one conversation.
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
]);
export type Category = z.infer<typeof category>;

/** A proven sample as a part of a composed task. */
export const taskPart = z.strictObject({
  sample_id: z.string(),
  /**
   * Arguments in place of those of the sample's only gold call, where the part asks the same for other values. Its gold
   * rows are then what the endpoint answers to them: it was proven equal to its SQL for other values too.
   */
  arguments: z.record(z.string(), z.unknown()).optional(),
});
export type TaskPart = z.infer<typeof taskPart>;

/** What is right in a turn of a conversation: an answer, or no call since a function or a value is missing. */
export const turnExpects = z.enum(['answer', 'no_call']);
export type TurnExpects = z.infer<typeof turnExpects>;

/** What an agent did in one turn of a conversation. A turn that was never reached has neither calls, answer nor output. */
export const predictedTurn = z.strictObject({
  /** The sample that the turn asks for. */
  sample_id: z.string(),
  expects: turnExpects,
  /** Made in this turn; as in a prediction. */
  calls: z.array(z.unknown()).nullish(),
  answer: z.unknown().optional(),
  raw_output: z.string().nullish(),
});
export type PredictedTurn = z.infer<typeof predictedTurn>;

/** How an answer is to be written, for whoever is asked a question: docs/scoring.md has the whole contract. */
export const ANSWER_FORMAT = [
  'Answer with JSON rows, [[…], …], and nothing else: one inner list a row with just the values that were asked for, in the order asked; a single value may stand alone.',
  'Write numbers as JSON numbers with all their digits (if you must round, keep four significant ones), dates as they are stored, and null for what is missing.',
].join('\n');

/** Optional first line of a prediction file, for the whole run. Unlike a prediction it has no `sample_id`. */
export const predictionHeader = z.strictObject({
  format: z.literal('rookery-predictions/1').optional(),
  model: z.string().optional(),
  /** The category of BFCL that the run was of. */
  category: category.optional(),
  /** Free-form: temperature, prompt, toolset options, fault profile … shown in the report as given. */
  settings: z.record(z.string(), z.unknown()).optional(),
  /** sha256 of the `farm.json` that the run was made against; a file made for another farm is refused. */
  farm_hash: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
});
export type PredictionHeader = z.infer<typeof predictionHeader>;

/** A silent fault that an agent met, and whether it made the call again. */
export const silentFaultMet = z.strictObject({
  fault: silentFaultKind,
  tool: z.string(),
  /** How often the same call was made after it. */
  repeated: z.number().int().nonnegative(),
  /** Whether one of these was answered truly. */
  verified: z.boolean(),
});
export type SilentFaultMet = z.infer<typeof silentFaultMet>;

/** How an attempt ended; `error`: the run broke. */
export const endedBy = z.enum(['answer', ...ENDINGS, 'error']);
export type EndedBy = z.infer<typeof endedBy>;

/** An agent's attempt at one sample: one line of a prediction file. A field that is not known is an error. */
export const prediction = z.strictObject({
  sample_id: z.string(),
  /** Which of several attempts at the sample this is, from 1; one attempt unless given. */
  epoch: z.number().int().positive().nullish(),
  /**
   * `{name, arguments, label?, handle?}` each, where `handle` is what the call returned on a live farm. Elements are
   * kept as given, so that malformed ones can be reported. Fields of `seenCall` may be added.
   */
  calls: z.array(z.unknown()).nullish(),
  /** Rows, a list, a scalar or text. null means that no answer was given. */
  answer: z.unknown().optional(),
  /** The model's output; parsed into calls when `calls` is missing or empty, unless they were `recorded`. */
  raw_output: z.string().nullish(),
  /** `calls` are those that a server has recorded: there were no others, whatever the model wrote. */
  recorded: z.boolean().nullish(),
  /** SQL that the agent wrote beside its calls: shown in the report, not judged. */
  sql: z.string().nullish(),
  /** Model turns used: a turn with several parallel calls is one loop. */
  loops: z.number().int().nonnegative().nullish(),
  latency_s: z.number().nonnegative().nullish(),
  /** The parts of it that were spent on completions, and on carrying out what they said. */
  model_s: z.number().nonnegative().nullish(),
  execution_s: z.number().nonnegative().nullish(),
  /** Of `hybrid` tasks: what was asked of APIs. */
  api_use: apiUse.nullish(),
  input_tokens: z.number().int().nonnegative().nullish(),
  output_tokens: z.number().int().nonnegative().nullish(),
  /** Of the input tokens, those that the provider had in its cache. */
  cached_tokens: z.number().int().nonnegative().nullish(),
  /** Of the output tokens, those spent on reasoning. */
  reasoning_tokens: z.number().int().nonnegative().nullish(),
  /**
   * What the attempt cost, in the currency of the prices; without it, the cost is computed from tokens and a price
   * table.
   */
  cost: z.number().nonnegative().nullish(),
  /** Why there is no answer, as text for people. */
  end_reason: z.string().nullish(),
  /** Set when the run itself broke (rate limit, time-out, crash): the sample counts as `infra_error`. */
  error: z.string().nullish(),
  /** The run was ended, before it gave an answer, because its budget was spent: it fails, whatever its calls gave. */
  out_of_budget: z.boolean().nullish(),
  /**
   * How the attempt ended; where it is not said, the other fields decide. After `empty` and `length`, what there is of an
   * answer is judged; after any other ending but `answer` the attempt fails, whatever its calls gave.
   */
  ended_by: endedBy.nullish(),
  /** The gold tool was not among the tools offered: the right answer is to call nothing. */
  withheld: z.boolean().nullish(),
  /** What the agent did not trust of the answers that it got, in its own words. */
  doubts: z.string().nullish(),
  /** Faults of the answers that it got which nothing announced, in their order; null where none could be met. */
  silent_faults: z.array(silentFaultMet).nullish(),
  /** Of a composed task, which `sample_id` names: what it asks for at once. `answer` is then a list, one for each. */
  parts: z.array(taskPart).min(1).max(8).nullish(),
  /** Of a composed task: what was done turn by turn. `calls` and `answer` are then those of the turns. */
  turns: z.array(predictedTurn).min(1).max(20).nullish(),
  /** Names of the tools offered, when fewer than the whole toolset. */
  tools: z.array(z.string()).nullish(),
  /** sha256 of the list of tools as offered; see docs/agents.md. */
  tools_checksum: z.string().nullish(),
});
export type Prediction = z.infer<typeof prediction>;

/** What the runner observed of a call; fields of an element of `calls`, all optional. */
export const seenCall = z.object({
  /** HTTP status. */
  status: z.number().int().nullish(),
  /** Code of the problem in the response. */
  code: z.string().nullish(),
  /** Rows in the answer. */
  rows: z.number().int().nonnegative().nullish(),
  latency_ms: z.number().nonnegative().nullish(),
  /** A fault made on purpose. */
  fault: z.string().nullish(),
});
export type SeenCall = z.infer<typeof seenCall>;
