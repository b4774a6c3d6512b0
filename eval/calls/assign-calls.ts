/**
 * Gives each gold call at most one of an agent's calls and each of those to at most one gold call, so that what the
 * pairs are worth is the most that it can be. The result has, for each gold call, the index of its call, or null.
 * The Hungarian method, in time gold² × (gold + calls).
 */
export function assignCalls(
  gold: number,
  calls: number,
  worth: (gold: number, call: number) => number,
): (number | null)[] {
  // A call behind the last one stands for none, and there is one for each gold call.
  const columns = calls + gold;
  const cost = (row: number, column: number) =>
    column <= calls ? -Math.max(0, worth(row - 1, column - 1)) : 0;
  const [u, v] = [zeros(gold + 1), zeros(columns + 1)];
  /** By column, from 1: the row that has it; 0 for none. */
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
