import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** A seeded source of whole numbers from 0 to below n: the same seed gives the same numbers everywhere. */
export function seededIntegers(seed: number): (n: number) => number {
  const generator = xoroshiro128plus(seed);
  return (n) => uniformInt(generator, 0, n - 1);
}
