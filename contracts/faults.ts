import { z } from 'zod';
import { SILENT_FAULT_KINDS } from './vocabulary.ts';

export const silentFaultKind = z.enum(SILENT_FAULT_KINDS);
export type SilentFaultKind = z.infer<typeof silentFaultKind>;

/** Evidence by which an attentive agent can recognize a faulty answer. */
export const faultWitness = z.enum([
  /** The answer's own `row_count`. */
  'row_count',
  /** A value has the wrong type for the endpoint's specification, or is null where that forbids it. */
  'schema',
  /** The table that a column was read from: its `row_count`, or the rows shown for it. */
  'earlier_answer',
  /** Another endpoint that reads the same rows; only if the agent is offered it. */
  'other_endpoint',
  /** The question itself: an upper bound on the number of rows, that rows are distinct, or a bound on a value. */
  'question',
  /** Repeating the call; not for a permanent fault. */
  'repeat',
]);
export type FaultWitness = z.infer<typeof faultWitness>;

/**
 * `explicit`: the answer contradicts itself or its specification. `implicit`: only another call or the
 * question does.
 */
export const contradiction = z.enum(['explicit', 'implicit']);
export type Contradiction = z.infer<typeof contradiction>;

/** A fault that the generator has proven to make the final answer wrong and to be recognizable. */
export const provenFault = z.object({
  fault: silentFaultKind,
  contradiction,
  /** The faulty column; only for `shifted_rows` and `wrong_unit` in an answer with several columns. */
  column: z.string().optional(),
  witnesses: z.array(faultWitness).min(1),
});
export type ProvenFault = z.infer<typeof provenFault>;

/** A property that the question implies for every correct answer. `column` is null if an answer is a single column. */
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

/** A call to another endpoint that reads the same rows. */
export const otherEndpoint = z.object({
  tool: z.string(),
  arguments: z.record(z.string(), z.unknown()),
  /** `count`: its single value is the number of rows. `rows`: it has as many rows, and shares some columns. */
  tells: z.enum(['count', 'rows']),
  /** Shared columns, by their names in either; empty for `count`. */
  columns: z.array(z.object({ own: z.string(), other: z.string() })),
});
export type OtherEndpoint = z.infer<typeof otherEndpoint>;

/** The silent faults that a task can have, all in the answer of one call. Visible to the harness only. */
export const provenFaults = z.object({
  tool: z.string(),
  /** sha256 (base64url) of that answer's text as served; no other answer is altered. */
  answer: z.string(),
  faults: z.array(provenFault).min(1),
  /** Only if it reveals a fault. */
  other_endpoint: otherEndpoint.optional(),
  /** Only if they reveal a fault. */
  question_facts: z.array(questionFact).optional(),
  /** JSON text of a neighbour database's rows; only for `stale_rows`. */
  stale_rows: z.string().optional(),
});
export type ProvenFaults = z.infer<typeof provenFaults>;

/** Faults that are visible in the status or form of the response. */
export const announcedFaultKind = z.enum([
  'latency',
  'rate_limit',
  'server_error',
  'unavailable',
  /** No response for a while, then 504. */
  'timeout',
  'truncated',
  'malformed',
  /** A field of the response is renamed or changes its type. */
  'schema_drift',
]);
export type AnnouncedFaultKind = z.infer<typeof announcedFaultKind>;

/** Faults of calls on records, within a run. An agent that checks its work reaches its goal despite them. */
export const stateFaultKind = z.enum([
  /** The change is made, but its answer is 504. */
  'lost_answer',
  /** Another client was changing the same record: 409, or 412 where If-Match was given. Nothing is changed. */
  'concurrent_change',
  /** 202: the change is made, but the next read does not show it yet. */
  'accepted',
  /** The longest text is stored cut, as in a column that is too short. */
  'cut_value',
  /** The read after a change does not show it yet. */
  'stale_read',
]);
export type StateFaultKind = z.infer<typeof stateFaultKind>;

export const faultKind = z.enum([
  ...announcedFaultKind.options,
  ...silentFaultKind.options,
  ...stateFaultKind.options,
]);
export type FaultKind = z.infer<typeof faultKind>;

export const faultRule = z.strictObject({
  fault: faultKind,
  /** The share of calls affected; for a silent fault, the share of eligible tasks. */
  rate: z.number().min(0).max(1),
  /** `transient`: repeating the call may succeed. `permanent`: it never does. */
  lasting: z.enum(['transient', 'permanent']).optional(),
  /** Silent faults: only those with this kind of contradiction. */
  contradiction: contradiction.optional(),
  /** Only these tools, by their real names; `*` matches any characters. */
  tools: z.array(z.string()).optional(),
  /** For latency and timeout: the duration. */
  ms: z.number().int().min(0).max(600_000).optional(),
  /** For rate_limit and unavailable: the value of Retry-After. */
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

export function isStateFault(fault: string | null): boolean {
  return stateFaultKind.safeParse(fault).success;
}

/** Whether the status and form of the response show no sign of the fault. */
export function isSilent(fault: string | null): boolean {
  return silentFaultKind.safeParse(fault).success;
}
