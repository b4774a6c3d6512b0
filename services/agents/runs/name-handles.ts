import { referenceIn } from '../../domain/tools/arguments/scope.ts';
import { bareHandle } from '../../domain/tools/plan/make-plan.ts';
import type { CallRecord } from './run-records.ts';

/** The handles that a run was answered, by what an obfuscated list makes of them. */
export function handlesByBare(calls: readonly CallRecord[]): ReadonlyMap<string, string> {
  return new Map(calls.flatMap(({ handle }) => (handle === null ? [] : [[bareHandle(handle), handle]])));
}

/** A value with every bare handle, `t_…` or `$t_…$`, under its whole name. */
export function nameHandles(value: unknown, handles: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') {
    const name = referenceIn(value);
    if (name === null) return handles.get(value) ?? value;
    const whole = handles.get(name);
    return whole === undefined ? value : `$${whole}$`;
  }
  if (Array.isArray(value)) return value.map((item) => nameHandles(item, handles));
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype)
    return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, nameHandles(item, handles)]));
}
