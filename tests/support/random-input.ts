import fc from 'fast-check';

/** What every random input of the tests is drawn from, so that two runs test the same; give another to draw others. */
export const SEED = Number(process.env.ROOKERY_TEST_SEED ?? 1);

/** How many random inputs a test takes: the number that it names, or as many times that as asked for. */
export function runs(usual: number): number {
  return usual * Number(process.env.ROOKERY_TEST_TIMES ?? 1);
}

fc.configureGlobal({ seed: SEED });

export { fc };
