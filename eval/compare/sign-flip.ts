import { seededIntegers } from '../score/random.ts';

/** Additions in an exact computation, well under a second; beyond that, flips are drawn. */
const MOST_STEPS = 40_000_000;
const DRAWS = 20_000;

/**
 * The sign-flip test on paired differences, one a question: how likely a sum as far from zero as this one, or farther,
 * would be if neither side were better, so that each difference could as well have the other sign. Two-sided; 1 where
 * nothing differs. Where each difference is 1 or −1, this is McNemar's exact test. The formulations and attempts of one
 * question succeed and fail together, so their differences are added up before and flip together.
 *
 * Exact for differences that are whole numbers after multiplying with `scale`; if those are too many, by 20,000 draws.
 */
export function signFlipTest(differences: readonly number[], scale: number, seed: number): number {
  const whole = differences.map((d) => Math.abs(Math.round(d * scale))).filter((d) => d !== 0);
  const observed = Math.abs(differences.reduce((sum, d) => sum + Math.round(d * scale), 0));
  const reach = whole.reduce((sum, d) => sum + d, 0);
  if (reach === 0) return 1;
  if (whole.length * (2 * reach + 1) > MOST_STEPS) return drawn(whole, observed, seed);
  // chances[s + reach]: that the differences so far, each with a random sign, add up to s.
  let chances = new Float64Array(2 * reach + 1);
  chances[reach] = 1;
  let span = 0;
  for (const d of whole) {
    const next = new Float64Array(2 * reach + 1);
    for (let s = reach - span; s <= reach + span; s++) {
      const half = (chances[s] as number) / 2;
      if (half === 0) continue;
      next[s + d] = (next[s + d] as number) + half;
      next[s - d] = (next[s - d] as number) + half;
    }
    chances = next;
    span += d;
  }
  let p = 0;
  for (let s = observed; s <= reach; s++) {
    p += (chances[reach + s] as number) + (s === 0 ? 0 : (chances[reach - s] as number));
  }
  return Math.min(1, p);
}

function drawn(whole: readonly number[], observed: number, seed: number): number {
  const next = seededIntegers(seed);
  let asFar = 0;
  for (let draw = 0; draw < DRAWS; draw++) {
    let sum = 0;
    for (const d of whole) sum += next(2) === 0 ? d : -d;
    if (Math.abs(sum) >= observed) asFar++;
  }
  // One is added to both: a finite number of draws cannot show that something is impossible.
  return (asFar + 1) / (DRAWS + 1);
}
