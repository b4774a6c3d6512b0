/**
 * Aligns two sequences of names: equal names are paired as far as order allows (longest common subsequence), the others
 * alone.
 *
 * @returns pairs of indexes, in order; null on the side that has no partner.
 */
export function alignNames(
  gold: readonly string[],
  predicted: readonly string[],
): [number | null, number | null][] {
  const longest = lengths(gold, predicted);
  const pairs: [number | null, number | null][] = [];
  let [g, p] = [0, 0];
  while (g < gold.length || p < predicted.length) {
    if (g < gold.length && p < predicted.length && gold[g] === predicted[p]) pairs.push([g++, p++]);
    else if (p >= predicted.length || (g < gold.length && at(longest, g + 1, p) >= at(longest, g, p + 1)))
      pairs.push([g++, null]);
    else pairs.push([null, p++]);
  }
  return pairs;
}

/** Length of the longest common subsequence of what follows each pair of positions. */
function lengths(a: readonly string[], b: readonly string[]): number[][] {
  const table = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0));
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const row = table[i] as number[];
      row[j] =
        a[i] === b[j] ? at(table, i + 1, j + 1) + 1 : Math.max(at(table, i + 1, j), at(table, i, j + 1));
    }
  }
  return table;
}

function at(table: readonly (readonly number[])[], i: number, j: number): number {
  return table[i]?.[j] ?? 0;
}
