import { z } from 'zod';
import { apiUse } from '../../contracts/api-use.ts';
import { predictedTurn, taskPart } from '../../contracts/composed-task.ts';
import { ENDINGS } from '../../contracts/error-classes.ts';
import { formulation } from '../../contracts/sample.ts';
import { turn } from '../attempt/turn.ts';

/** A call as the model made it, under the names it was offered, and what became of it. */
export const recordedCall = z.object({
  name: z.string(),
  /** The text of the arguments as written. */
  arguments: z.string(),
  status: z.number().int().nullable(),
  ok: z.boolean(),
  handle: z.string().nullable(),
  latency_ms: z.number(),
  fault: z.string().nullable(),
  /** The first 2,000 characters of the answer. */
  answer: z.string(),
  /** sha256 of the whole answer, which is `blobs/<sha256>` when it is longer. */
  answer_hash: z.string(),
});

/** How an attempt ended. `error`: not by the agent's doing; it is attempted again when the run is resumed. */
export const attemptOutcome = z.enum(['answered', ...ENDINGS, 'error']).exclude(['empty', 'length']);
export type AttemptOutcome = z.infer<typeof attemptOutcome>;

/** One attempt: a line of `samples.jsonl`. Of two with the same sample and epoch the last one counts. */
export const sampleRecord = z.object({
  sample_id: z.string(),
  epoch: z.number().int(),
  db: z.string(),
  formulation,
  outcome: attemptOutcome,
  /** Why it ended early; null for an answer. */
  reason: z.string().nullable(),
  error: z.object({ kind: z.string(), message: z.string() }).nullable(),
  answer: z.unknown(),
  sql: z.string().nullable(),
  raw_output: z.string().nullable(),
  /** As they go into the prediction, under real names; null where the text is to be parsed. */
  calls: z.array(z.unknown()).nullable(),
  /** Of a composed task: what it asks for, and what was done turn by turn. */
  composed: z
    .object({ parts: z.array(taskPart), turns: z.array(predictedTurn).nullable() })
    .nullable()
    .default(null),
  made: z.array(recordedCall),
  /** Whether the farm has recorded what was called. */
  recorded: z.boolean().default(false),
  turns: z.array(turn),
  loops: z.number().int(),
  input_tokens: z.number().int().nullable(),
  output_tokens: z.number().int().nullable(),
  cached_tokens: z.number().int().nullable(),
  reasoning_tokens: z.number().int().nullable(),
  cost: z.number().nullable(),
  /** Of completions and calls; waiting for rates is not counted. */
  latency_s: z.number(),
  /** Of it, completions and calls. null in logs of before. */
  model_s: z.number().nullable().default(null),
  execution_s: z.number().nullable().default(null),
  /** Of `hybrid` tasks. */
  api_use: apiUse.nullable().default(null),
  tools: z.array(z.string()).nullable(),
  tools_checksum: z.string(),
  withheld: z.boolean(),
  /** ISO 8601, UTC. */
  at: z.string(),
});
export type SampleRecord = z.infer<typeof sampleRecord>;
