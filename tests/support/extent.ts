/** Whether the tests are run in full: `npm run test:all`. */
export const RUNS_ALL = process.env.ROOKERY_TESTS === 'all';

/** How many of something a test takes: a few, or many when all tests are run. */
export function many(few: number, inAll: number): number {
  return RUNS_ALL ? inAll : few;
}

/** All of several kinds when all tests are run; else one, another for each position, so that every kind has its turn. */
export function inTurn<T>(position: number, kinds: readonly T[]): readonly T[] {
  return RUNS_ALL ? kinds : kinds.slice(position % kinds.length, (position % kinds.length) + 1);
}
