import type { Candidate } from './composer.ts';

/** The first so many of a list that all fit each other, and the others; fewer where there are not as many. */
export function take<T>(
  items: readonly T[],
  size: number,
  fits: (a: T, b: T) => boolean,
): { readonly taken: T[]; readonly others: T[] } {
  const taken: T[] = [];
  const others: T[] = [];
  for (const item of items) {
    if (taken.length < size && taken.every((each) => fits(each, item))) taken.push(item);
    else others.push(item);
  }
  return { taken, others };
}

/** Neither the same call nor the same rows: the parts of a task are independent, and can be told apart. */
export function differ(a: Candidate, b: Candidate): boolean {
  return (
    JSON.stringify([a.tool, a.args]) !== JSON.stringify([b.tool, b.args]) &&
    JSON.stringify(a.sample.gold_answer) !== JSON.stringify(b.sample.gold_answer) &&
    a.task.question !== b.task.question
  );
}

/** The same, and of different endpoints. */
export function differInTool(a: Candidate, b: Candidate): boolean {
  return a.tool !== b.tool && differ(a, b);
}
