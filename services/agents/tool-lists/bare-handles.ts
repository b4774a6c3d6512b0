import { bareHandle } from '../../domain/tools/plan/make-plan.ts';

/** A text with every handle bare but those that are `shown`: the word in a handle tells what a tool does. */
export function bareHandles(text: string, shown: readonly string[]): string {
  return text.replace(/\b[a-z][a-z0-9_]*_[0-9a-f]{12}\b/g, (handle) =>
    shown.includes(handle) ? handle : bareHandle(handle),
  );
}

/** The text of a ToolAnswer with its handle bare; what is in the tables stays as it is. */
export function withBareHandle(answer: string): string {
  return answer.replace(
    /^(\{"kind":"\w+","handle":")([^"\\]*)/,
    (_all, before: string, handle: string) => `${before}${bareHandle(handle)}`,
  );
}
