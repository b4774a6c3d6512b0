import {
  type FaultProfile,
  type FaultRule,
  faultProfile,
  isSilent,
  silentFaultKind,
} from '../../../contracts/faults.ts';
import { seededNumber } from '../../base/seeded-order.ts';

const rule = (fault: FaultRule['fault'], rate: number, more: Partial<FaultRule> = {}): FaultRule => ({
  fault,
  rate,
  ...more,
});

/** Profiles by name, for `faults: "flaky"`. */
export const FAULT_PROFILES: Readonly<Record<string, readonly FaultRule[]>> = {
  /** Occasional errors that a retry gets past. */
  flaky: [rule('unavailable', 0.1, { retry_after_s: 1 }), rule('server_error', 0.05)],
  /** Slow answers, and some that never come. */
  slow: [rule('timeout', 0.03, { ms: 10_000 }), rule('latency', 0.3, { ms: 2000 })],
  rate_limited: [rule('rate_limit', 0.25, { retry_after_s: 1 })],
  /** Answers that cannot be parsed. */
  broken_json: [rule('truncated', 0.1), rule('malformed', 0.05)],
  /** Answers with renamed fields. */
  drift: [rule('schema_drift', 0.2)],
  /** Answers that look right but are detectably wrong; repeating the call gets past them. */
  silent: silentFaultKind.options.map((fault) => rule(fault, 0.5)),
  /** The same, but repeating the call does not help. */
  silent_permanent: silentFaultKind.options.map((fault) => rule(fault, 0.5, { lasting: 'permanent' })),
  /** A mix of the faults that announce themselves. */
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

export function namedProfile(name: string, seed = 0): FaultProfile | undefined {
  const rules = Object.hasOwn(FAULT_PROFILES, name) ? FAULT_PROFILES[name] : undefined;
  return rules && faultProfile.parse({ name, seed, rules });
}

/** Identifies a call: the n-th of an attempt at a task, and its tool. */
export interface FaultedCall {
  readonly scope: string;
  readonly n: number;
  /** Its real name; null for an unknown tool. */
  readonly tool: string | null;
  /** Equal for identical calls; faults that last are drawn by it. */
  readonly key?: string;
}

/**
 * Draws the visible fault of a call, or null. It depends only on the profile, the task and the call's number, so two
 * agents at the same task meet the same faults, whenever they run.
 */
export function drawFault(profile: FaultProfile, call: FaultedCall): FaultRule | null {
  for (const [at, rule] of profile.rules.entries()) {
    if (isSilent(rule.fault) || !meansTool(rule, call.tool)) continue;
    const which = rule.lasting === 'permanent' ? (call.key ?? '') : call.n;
    if (seededNumber(profile.seed, 'fault', call.scope, which, at) < rule.rate) return rule;
  }
  return null;
}

/** Whether a rule applies to calls of a tool. */
export function meansTool(rule: FaultRule, tool: string | null): boolean {
  return !rule.tools || rule.tools.some((pattern) => fits(pattern, tool));
}

function fits(pattern: string, tool: string | null): boolean {
  if (tool === null) return false;
  const escaped = pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*');
  return new RegExp(`^${escaped}$`, 's').test(tool);
}
