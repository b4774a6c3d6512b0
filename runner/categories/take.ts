import { printExactJson } from '../../contracts/exact-json.ts';
import type { Candidate } from './composer.ts';

/** The first so many of a list that all fit each other, and the others; fewer where there are not as many. */
export function takeCompatible<T>(
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

/** Neither the same calls nor the same rows: the parts of a task are independent, and can be told apart. */
export function differ(a: Candidate, b: Candidate): boolean {
  return (
    printExactJson(a.sample.output) !== printExactJson(b.sample.output) &&
    printExactJson(a.sample.gold_answer) !== printExactJson(b.sample.gold_answer) &&
    a.task.question !== b.task.question
  );
}

/**
 * The same; in REST of different endpoints, in SLOT and SEL of the same start tables, since these decide which tools
 * there are.
 */
export function fitTogether(a: Candidate, b: Candidate): boolean {
  const fits = a.task.formulation === 'rest' ? a.tool !== b.tool : startOf(a) === startOf(b);
  return fits && differ(a, b);
}

/** Names the start tables of a task; all of REST have the same, namely none. */
export function startOf({ task }: Pick<Candidate, 'task'>): string {
  return JSON.stringify(task.start_tables.map(({ label, handle }) => [label, handle]));
}
