import { z } from 'zod';

const count = z.number().nonnegative().nullable();

export const usage = z.object({
  input: count,
  output: count,
  cached_input: count,
  cache_write: count,
  reasoning: count,
});

const part = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('text'), text: z.string() }),
  z.object({ kind: z.literal('reasoning'), text: z.string() }),
  z.object({ kind: z.literal('call'), id: z.string(), name: z.string(), arguments: z.string() }),
]);

/** One completion of an attempt, as `samples.jsonl` has it. */
export const turn = z.object({
  /** sha256 of the request. */
  request_hash: z.string(),
  parts: z.array(part),
  stop: z.enum(['stop', 'length', 'calls', 'refused', 'content_filter', 'other']),
  usage,
  latency_ms: z.number(),
  /** Requests made for it, failed ones included. */
  attempts: z.number().int(),
  cached: z.boolean(),
  cost: z.number().nullable(),
  model: z.string().nullable(),
  fingerprint: z.string().nullable(),
  warnings: z.array(z.string()),
});
export type Turn = z.infer<typeof turn>;
