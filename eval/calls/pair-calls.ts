/** Pairs the k-th gold call of a name with the k-th predicted one: `[gold, predicted]` indexes in gold order. */
export function pairByName(gold: readonly string[], predicted: readonly string[]): [number, number][] {
  const waiting = new Map<string, number[]>();
  predicted.forEach((name, index) => {
    const queue = waiting.get(name);
    if (queue === undefined) waiting.set(name, [index]);
    else queue.push(index);
  });
  const taken = new Map<string, number>();
  const pairs: [number, number][] = [];
  gold.forEach((name, index) => {
    const k = taken.get(name) ?? 0;
    const partner = waiting.get(name)?.[k];
    if (partner === undefined) return;
    taken.set(name, k + 1);
    pairs.push([index, partner]);
  });
  return pairs;
}

/**
 * Assigns each gold call at most one of an agent's calls, and vice versa, maximizing the total worth of the
 * pairs. Returns, for each gold call, the index of its call or null. Hungarian method, O(gold² × (gold +
 * calls)).
 */
export function assignCalls(
  gold: number,
  calls: number,
  worth: (gold: number, call: number) => number,
): (number | null)[] {
  // Indexes beyond the last call mean no call; there is one per gold call.
  const columns = calls + gold;
  const cost = (row: number, column: number) =>
    column <= calls ? -Math.max(0, worth(row - 1, column - 1)) : 0;
  const [u, v] = [zeros(gold + 1), zeros(columns + 1)];
  /** By column, from 1: the row assigned to it; 0 for none. */
  const rowOf = zeros(columns + 1);
  for (let row = 1; row <= gold; row++) {
    const least = Array<number>(columns + 1).fill(Number.POSITIVE_INFINITY);
    const before = zeros(columns + 1);
    const seen = new Set<number>();
    rowOf[0] = row;
    let at = 0;
    while (at === 0 || rowOf[at] !== 0) {
      seen.add(at);
      const here = rowOf[at] as number;
      let [delta, next] = [Number.POSITIVE_INFINITY, 0];
      for (let column = 1; column <= columns; column++) {
        if (seen.has(column)) continue;
        const reduced = cost(here, column) - (u[here] as number) - (v[column] as number);
        if (reduced < (least[column] as number)) [least[column], before[column]] = [reduced, at];
        if ((least[column] as number) < delta) [delta, next] = [least[column] as number, column];
      }
      for (let column = 0; column <= columns; column++) {
        if (seen.has(column)) {
          (u[rowOf[column] as number] as number) += delta;
          (v[column] as number) -= delta;
        } else (least[column] as number) -= delta;
      }
      at = next;
    }
    while (at !== 0) {
      const from = before[at] as number;
      rowOf[at] = rowOf[from] as number;
      at = from;
    }
  }
  const taken: (number | null)[] = Array.from({ length: gold }, () => null);
  for (let column = 1; column <= calls; column++) {
    const row = rowOf[column] as number;
    if (row > 0 && worth(row - 1, column - 1) > 0) taken[row - 1] = column - 1;
  }
  return taken;
}

function zeros(length: number): number[] {
  return Array<number>(length).fill(0);
}

/**
 * Aligns two sequences of names: equal names are paired by a longest common subsequence, others stand alone.
 * @returns pairs of indexes, in order; null for the side without a partner.
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

/** Lengths of the longest common subsequences of all suffixes. */
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
