import type { Distance } from '../../contracts/world.ts';

/** A number in the farm and in the world. */
export interface Pair {
  readonly before: number;
  readonly after: number;
}

/** The greatest difference between the shares of numbers up to x, over all x; 0 without any numbers. */
export function distanceOf(pairs: readonly Pair[]): Distance {
  const n = pairs.length;
  const before = pairs.map((pair) => pair.before).sort((a, b) => a - b);
  const after = pairs.map((pair) => pair.after).sort((a, b) => a - b);
  let ks = 0;
  let [i, j] = [0, 0];
  while (i < n && j < n) {
    const x = Math.min(before[i] as number, after[j] as number);
    while (i < n && before[i] === x) i++;
    while (j < n && after[j] === x) j++;
    ks = Math.max(ks, Math.abs(i - j) / n);
  }
  return { ks, n };
}
