/**
 * How far a query that counts gets in so many milliseconds on this machine, as busy as it is now. `count` runs the query
 * for a number of steps.
 */
export async function stepsIn(ms: number, count: (steps: number) => Promise<unknown>): Promise<number> {
  const probe = 100_000;
  const began = performance.now();
  await count(probe);
  return Math.round((probe * ms) / (performance.now() - began));
}
