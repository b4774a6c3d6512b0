import { problemOfArguments } from '../../base/http/argument-problem.ts';
import type { HttpProblem } from '../../base/http/problem.ts';
import { referenceIn, unknownHandle } from '../../domain/tools/arguments/scope.ts';
import { bareHandle, HANDLE_PATTERN } from '../../domain/tools/plan/make-plan.ts';

/**
 * UNKNOWN_HANDLE for the first handle in a call's arguments that is not among the `own` (bare) ones, in the service's
 * own words; null when there is none. Whatever looks like a handle counts as one, wherever it stands.
 */
export function foreignHandle(args: unknown, own: (bare: string) => boolean): HttpProblem | null {
  const found = find(args, '', own);
  return found && problemOfArguments(unknownHandle(found.text, found.field));
}

interface Found {
  readonly text: string;
  /** `data_source`, `values[2]` */
  readonly field: string;
}

function find(value: unknown, field: string, own: (bare: string) => boolean): Found | null {
  if (typeof value === 'string') {
    const name = referenceIn(value) ?? value;
    return HANDLE_PATTERN.test(name) && !own(bareHandle(name)) ? { text: value, field } : null;
  }
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, inner] of Object.entries(value)) {
    const at = Array.isArray(value) ? `${field}[${key}]` : field === '' ? key : `${field}.${key}`;
    const found = find(inner, at, own);
    if (found) return found;
  }
  return null;
}
