import { type FaultProfile, type FaultRule, isSilent } from '../../../contracts/fault.ts';
import { seededNumber } from '../../base/seeded-order.ts';

/** Which call is meant: the n-th of an attempt at a task, and of which tool. */
export interface FaultedCall {
  readonly scope: string;
  readonly n: number;
  /** Its real name; null for a tool that there is not. */
  readonly tool: string | null;
  /** The same for the very same call; by it faults that last know it. */
  readonly key?: string;
}

/**
 * What goes wrong with a call for all to see, or null. It depends on nothing but the profile, the task and the call's number, so
 * two agents at the same task meet the same faults, whenever they run.
 */
export function drawFault(profile: FaultProfile, call: FaultedCall): FaultRule | null {
  for (const [at, rule] of profile.rules.entries()) {
    if (isSilent(rule.fault) || !meansTool(rule, call.tool)) continue;
    const which = rule.lasting === 'permanent' ? (call.key ?? '') : call.n;
    if (seededNumber(profile.seed, 'fault', call.scope, which, at) < rule.rate) return rule;
  }
  return null;
}

/** Whether a rule is for calls of a tool. */
export function meansTool(rule: FaultRule, tool: string | null): boolean {
  return !rule.tools || rule.tools.some((pattern) => fits(pattern, tool));
}

function fits(pattern: string, tool: string | null): boolean {
  if (tool === null) return false;
  const escaped = pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*');
  return new RegExp(`^${escaped}$`, 's').test(tool);
}
