import { alignNames } from '../calls/align-names.ts';

/** A tool of the gold, and the one that was called in its place; null where none was. */
export interface Confusion {
  readonly expected: string;
  readonly called: string | null;
}

/**
 * Where another tool was called than the gold's. The names are aligned (longest common subsequence); between two
 * matches, the remaining gold and predicted names are paired in order. Surplus calls are not confusions.
 */
export function findConfusions(gold: readonly string[], predicted: readonly string[]): Confusion[] {
  const confusions: Confusion[] = [];
  let due: string[] = [];
  let made: string[] = [];
  const settle = () => {
    confusions.push(...due.map((expected, i) => ({ expected, called: made[i] ?? null })));
    [due, made] = [[], []];
  };
  for (const [g, p] of alignNames(gold, predicted)) {
    if (g !== null && p !== null) settle();
    else if (g !== null) due.push(gold[g] as string);
    else if (p !== null) made.push(predicted[p] as string);
  }
  settle();
  return confusions;
}
