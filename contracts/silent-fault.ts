import { z } from 'zod';

/** What can be made wrong with an answer that still looks right. */
export const silentFaultKind = z.enum([
  /** The rows of another state of the database. */
  'stale_rows',
  /** A column's values stand one row too low: the first is null, the last is gone. */
  'shifted_rows',
  /** Some rows are there twice. */
  'duplicated_rows',
  /** Some rows are missing. */
  'dropped_rows',
  /** A column's numbers are a thousandth of what they should be. */
  'wrong_unit',
  /** The first half of the rows, with `truncated: false`. */
  'hidden_truncation',
]);
export type SilentFaultKind = z.infer<typeof silentFaultKind>;

/** What tells an attentive agent that an answer cannot be right. */
export const faultWitness = z.enum([
  /** The answer's own `row_count`. */
  'row_count',
  /** A value is not of the type that the endpoint's specification says, or null where that excludes it. */
  'schema',
  /** The table that a column was read from: its `row_count`, or the rows that its answer showed. */
  'earlier_answer',
  /** The same call made again; not for a fault that lasts. */
  'repeat',
]);
export type FaultWitness = z.infer<typeof faultWitness>;

/** `explicit`: the answer contradicts itself or its specification. `implicit`: it takes another call to see it. */
export const contradiction = z.enum(['explicit', 'implicit']);
export type Contradiction = z.infer<typeof contradiction>;

/** A fault of which the generator has proven that it makes the final answer wrong, and that it can be told. */
export const provenFault = z.object({
  fault: silentFaultKind,
  contradiction,
  /** The column that is wrong; only of `shifted_rows` and `wrong_unit` in an answer of several columns. */
  column: z.string().optional(),
  witnesses: z.array(faultWitness).min(1),
});
export type ProvenFault = z.infer<typeof provenFault>;

/** Which silent faults a task can have, all of them in the answer of one call. For the harness only. */
export const provenFaults = z.object({
  /** The tool whose answer they are in. */
  tool: z.string(),
  /** sha256 (base64url) of that answer's text as the service gives it: no other answer is touched. */
  answer: z.string(),
  faults: z.array(provenFault).min(1),
  /** JSON text of the rows of a neighbour database; only with `stale_rows`. */
  stale_rows: z.string().optional(),
});
export type ProvenFaults = z.infer<typeof provenFaults>;
