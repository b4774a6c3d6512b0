/**
 * Pairs the k-th gold call of a name with the k-th predicted call of that name, as indexes `[gold, predicted]` in
 * gold order. Calls without a partner are left out.
 */
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
