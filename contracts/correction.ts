import { z } from 'zod';

/** A line of `corrections.jsonl`: what a question of a split should say instead. Fields left out stay as they are. */
export const correction = z.strictObject({
  /** Of this format. */
  version: z.literal(1),
  db_id: z.string().min(1),
  question_id: z.union([z.number().int(), z.string().min(1)]),
  sql: z.string().min(1).optional(),
  question: z.string().min(1).optional(),
  evidence: z.string().optional(),
  /** What was wrong. */
  reason: z.string().min(1),
  /** Who says so. */
  author: z.string().optional(),
  /** Rules of the audit that it answers. */
  rules: z.array(z.string()).optional(),
});
export type Correction = z.infer<typeof correction>;

/** Where a sample's question was corrected: why, and what it was before. */
export const appliedCorrection = correction.pick({ reason: true, author: true }).extend({
  original: z.object({
    sql: z.string().optional(),
    question: z.string().optional(),
    evidence: z.string().optional(),
  }),
});
export type AppliedCorrection = z.infer<typeof appliedCorrection>;
