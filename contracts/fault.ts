import { z } from 'zod';
import { contradiction, silentFaultKind } from './silent-fault.ts';

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
