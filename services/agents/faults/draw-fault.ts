import type { FaultProfile, FaultRule } from '../../../contracts/fault.ts';
import { seededNumber } from '../../base/seeded-order.ts';

/** Which call is meant: the n-th of an attempt at a task, and of which tool. */
export interface FaultedCall {
  readonly scope: string;
  readonly n: number;
  /** Its real name; null for a tool that there is not. */
  readonly tool: string | null;
}

/**
 * What goes wrong with a call, or null. It depends on nothing but the profile, the task and the call's number, so
 * two agents at the same task meet the same faults, whenever they run.
 */
export function drawFault(profile: FaultProfile, call: FaultedCall): FaultRule | null {
  for (const [at, rule] of profile.rules.entries()) {
    if (rule.tools && !rule.tools.some((pattern) => fits(pattern, call.tool))) continue;
    if (seededNumber(profile.seed, 'fault', call.scope, call.n, at) < rule.rate) return rule;
  }
  return null;
}

function fits(pattern: string, tool: string | null): boolean {
  if (tool === null) return false;
  const escaped = pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*');
  return new RegExp(`^${escaped}$`, 's').test(tool);
}
