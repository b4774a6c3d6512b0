/**
 * Gives each gold call at most one of an agent's calls and each of those to at most one gold call, so that what the
 * pairs are worth is the most that it can be. The result has, for each gold call, the index of its call, or null.
 * Exact, in time 2^gold: composed tasks have a few gold calls, however many the agent made.
 */
export function assignCalls(
  gold: number,
  calls: number,
  worth: (gold: number, call: number) => number,
): (number | null)[] {
  interface Best {
    readonly sum: number;
    readonly pairs: readonly (number | null)[];
  }
  // By the set of gold calls that have one already, as bits.
  let best = new Map<number, Best>([[0, { sum: 0, pairs: Array.from({ length: gold }, () => null) }]]);
  for (let call = 0; call < calls; call++) {
    const next = new Map(best);
    for (const [taken, { sum, pairs }] of best) {
      for (let at = 0; at < gold; at++) {
        const value = worth(at, call);
        if (value <= 0 || taken & (1 << at)) continue;
        const set = taken | (1 << at);
        if (sum + value > (next.get(set)?.sum ?? -1)) {
          next.set(set, { sum: sum + value, pairs: pairs.with(at, call) });
        }
      }
    }
    best = next;
  }
  return [...[...best.values()].reduce((a, b) => (b.sum > a.sum ? b : a)).pairs];
}
