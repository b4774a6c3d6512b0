import { type FaultProfile, type FaultRule, faultProfile } from '../../../contracts/fault.ts';
import { silentFaultKind } from '../../../contracts/silent-fault.ts';

const rule = (fault: FaultRule['fault'], rate: number, more: Partial<FaultRule> = {}): FaultRule => ({
  fault,
  rate,
  ...more,
});

/** Profiles by name, for `faults: "flaky"`. */
export const FAULT_PROFILES: Readonly<Record<string, readonly FaultRule[]>> = {
  /** Now and then an error that a second attempt gets past. */
  flaky: [rule('unavailable', 0.1, { retry_after_s: 1 }), rule('server_error', 0.05)],
  /** Answers that keep one waiting, and some that never come. */
  slow: [rule('timeout', 0.03, { ms: 10_000 }), rule('latency', 0.3, { ms: 2000 })],
  rate_limited: [rule('rate_limit', 0.25, { retry_after_s: 1 })],
  /** Answers that cannot be read. */
  broken_json: [rule('truncated', 0.1), rule('malformed', 0.05)],
  /** Answers whose fields are not called what they were. */
  drift: [rule('schema_drift', 0.2)],
  /** Answers that look right and are not, where an attentive agent can tell; calling again gets past them. */
  silent: silentFaultKind.options.map((fault) => rule(fault, 0.5)),
  /** The same, however often the call is made. */
  silent_permanent: silentFaultKind.options.map((fault) => rule(fault, 0.5, { lasting: 'permanent' })),
  /** Some of everything that announces itself. */
  chaos: [
    rule('rate_limit', 0.05, { retry_after_s: 1 }),
    rule('unavailable', 0.05, { retry_after_s: 1 }),
    rule('server_error', 0.05),
    rule('timeout', 0.01, { ms: 5000 }),
    rule('truncated', 0.03),
    rule('malformed', 0.03),
    rule('schema_drift', 0.03),
    rule('latency', 0.1, { ms: 1000 }),
  ],
};

/** The profile of that name; undefined when there is none. */
export function namedProfile(name: string, seed = 0): FaultProfile | undefined {
  const rules = Object.hasOwn(FAULT_PROFILES, name) ? FAULT_PROFILES[name] : undefined;
  return rules && faultProfile.parse({ name, seed, rules });
}
