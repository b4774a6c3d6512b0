import { referenceIn } from '../../tools/arguments/scope.ts';
import { HANDLE_PATTERN } from '../../tools/plan/make-plan.ts';

/** Everything in a call's arguments that looks like a handle. */
export function handlesIn(value: unknown): Set<string> {
  const found = new Set<string>();
  const visit = (part: unknown): void => {
    if (typeof part === 'string') {
      const name = referenceIn(part) ?? part;
      if (HANDLE_PATTERN.test(name)) found.add(name);
    } else if (typeof part === 'object' && part !== null) {
      for (const inner of Object.values(part)) visit(inner);
    }
  };
  visit(value);
  return found;
}
