import { z } from 'zod';
import { SILENT_FAULT_KINDS } from './vocabulary.ts';

/** What can be made wrong with an answer that still looks right. */
export const silentFaultKind = z.enum(SILENT_FAULT_KINDS);
export type SilentFaultKind = z.infer<typeof silentFaultKind>;

/** What tells an attentive agent that an answer cannot be right. */
export const faultWitness = z.enum([
  /** The answer's own `row_count`. */
  'row_count',
  /** A value is not of the type that the endpoint's specification says, or null where that excludes it. */
  'schema',
  /** The table that a column was read from: its `row_count`, or the rows that its answer showed. */
  'earlier_answer',
  /** Another endpoint that reads the same rows; not where an agent is not offered it. */
  'other_endpoint',
  /** What the question itself says: how many rows there can be at most, that none comes twice, or a bound of a value. */
  'question',
  /** The same call made again; not for a fault that lasts. */
  'repeat',
]);
export type FaultWitness = z.infer<typeof faultWitness>;

/**
 * `explicit`: the answer contradicts itself or its specification. `implicit`: it takes another call, or the question, to
 * see it.
 */
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

/** What the question says of every true answer. `column` is null where an answer is one column. */
export const questionFact = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('at_most'), rows: z.number().int() }),
  z.object({ kind: z.literal('distinct') }),
  z.object({
    kind: z.literal('bound'),
    column: z.string().nullable(),
    op: z.enum(['=', '<', '<=', '>', '>=']),
    value: z.union([z.number(), z.string()]),
  }),
]);
export type QuestionFact = z.infer<typeof questionFact>;

/** A call of another endpoint that reads the same rows. */
export const otherEndpoint = z.object({
  tool: z.string(),
  arguments: z.record(z.string(), z.unknown()),
  /** `count`: its one value says how many rows there are. `rows`: it has as many rows, and some of the same columns. */
  tells: z.enum(['count', 'rows']),
  /** Columns that both have, by their names in either; none with `count`. */
  columns: z.array(z.object({ own: z.string(), other: z.string() })),
});
export type OtherEndpoint = z.infer<typeof otherEndpoint>;

/** Which silent faults a task can have, all of them in the answer of one call. For the harness only. */
export const provenFaults = z.object({
  /** The tool whose answer they are in. */
  tool: z.string(),
  /** sha256 (base64url) of that answer's text as the service gives it: no other answer is touched. */
  answer: z.string(),
  faults: z.array(provenFault).min(1),
  /** Only where a fault is told by it. */
  other_endpoint: otherEndpoint.optional(),
  /** Only where a fault is told by them. */
  question_facts: z.array(questionFact).optional(),
  /** JSON text of the rows of a neighbour database; only with `stale_rows`. */
  stale_rows: z.string().optional(),
});
export type ProvenFaults = z.infer<typeof provenFaults>;

/** Faults of a call that its answer announces. */
export const announcedFaultKind = z.enum([
  /** The answer comes late. */
  'latency',
  /** 429 with Retry-After. */
  'rate_limit',
  /** 500. */
  'server_error',
  /** 503 with Retry-After. */
  'unavailable',
  /** No answer for a while, then 504. */
  'timeout',
  /** The answer breaks off. */
  'truncated',
  /** The answer is not JSON. */
  'malformed',
  /** A field of the answer has another name or type than before. */
  'schema_drift',
]);
export type AnnouncedFaultKind = z.infer<typeof announcedFaultKind>;

/** The kinds of faults that can be injected into a call. */
export const faultKind = z.enum([...announcedFaultKind.options, ...silentFaultKind.options]);
export type FaultKind = z.infer<typeof faultKind>;

export const faultRule = z.strictObject({
  fault: faultKind,
  /** The share of calls that it hits; of a silent fault, the share of tasks that can have it. */
  rate: z.number().min(0).max(1),
  /** `transient`: the same call made again may be answered. `permanent`: it never is. */
  lasting: z.enum(['transient', 'permanent']).optional(),
  /** Silent faults: only those that are told this way. */
  contradiction: contradiction.optional(),
  /** Only these tools, by their real names; `*` stands for any characters. */
  tools: z.array(z.string()).optional(),
  /** latency, timeout: for how long. */
  ms: z.number().int().min(0).max(600_000).optional(),
  /** rate_limit, unavailable: what Retry-After says. */
  retry_after_s: z.number().int().min(0).max(3600).optional(),
});
export type FaultRule = z.infer<typeof faultRule>;

/** Injected faults; the first rule that matches a call applies. */
export const faultProfile = z.strictObject({
  name: z.string().max(64).default('custom'),
  seed: z.number().int().min(0).default(0),
  rules: z.array(faultRule).max(64),
});
export type FaultProfile = z.infer<typeof faultProfile>;

/** Whether nothing in an answer's status or form says that something is wrong with it. */
export function isSilent(fault: string | null): boolean {
  return silentFaultKind.safeParse(fault).success;
}
