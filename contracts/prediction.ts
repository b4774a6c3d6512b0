import { z } from 'zod';

/**
 * First line of a prediction file, optional: whatever holds for the whole run. It is told from a prediction by
 * having no `sample_id`.
 */
export const predictionHeader = z.strictObject({
  format: z.literal('rookery-predictions/1').optional(),
  model: z.string().optional(),
  /** Free-form: temperature, prompt, toolset options, fault profile … shown in the report as given. */
  settings: z.record(z.string(), z.unknown()).optional(),
  /** sha256 of the `farm.json` that the run was made against; a file made for another farm is refused. */
  farm_hash: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
});
export type PredictionHeader = z.infer<typeof predictionHeader>;

/** An agent's attempt at one sample: one line of a prediction file. A field that is not known is an error. */
export const prediction = z.strictObject({
  sample_id: z.string(),
  /**
   * `{name, arguments, label?, handle?}` each, where `handle` is what the call answered on a live farm; kept as
   * given, so that a malformed element can be named as such.
   */
  calls: z.array(z.unknown()).nullish(),
  /** Rows, a list, a scalar or text. null means that no answer was given. */
  answer: z.unknown().optional(),
  /** What the model wrote; parsed into calls when `calls` is not given, or empty. */
  raw_output: z.string().nullish(),
  /** Model turns used: a turn with several parallel calls is one loop. */
  loops: z.number().int().nonnegative().nullish(),
  latency_s: z.number().nonnegative().nullish(),
  input_tokens: z.number().int().nonnegative().nullish(),
  output_tokens: z.number().int().nonnegative().nullish(),
  /** `input_tokens` that a cache of the provider's held, and `output_tokens` spent on reasoning. */
  cached_tokens: z.number().int().nonnegative().nullish(),
  reasoning_tokens: z.number().int().nonnegative().nullish(),
  /** What the runner reckoned it to cost. */
  cost: z.number().nonnegative().nullish(),
  /** Text-to-SQL agents: the statement whose rows are the answer. */
  sql: z.string().nullish(),
  /** Why there is no answer, for people to read. */
  end_reason: z.string().nullish(),
  /** Set when the run itself broke (rate limit, time-out, crash): the sample counts as `infra_error`. */
  error: z.string().nullish(),
  /** The run was ended, before it gave an answer, because its budget was spent: it fails, whatever its calls gave. */
  out_of_budget: z.boolean().nullish(),
  /** The gold tool was not among the tools offered: the right answer is to call nothing. */
  withheld: z.boolean().nullish(),
  /** Names of the tools offered, when fewer than the whole toolset. */
  tools: z.array(z.string()).nullish(),
  /** sha256 of the list of tools as offered; see docs/agents.md. */
  tools_checksum: z.string().nullish(),
});
export type Prediction = z.infer<typeof prediction>;
