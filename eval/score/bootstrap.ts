import { seededIntegers } from './random.ts';

/** Sums of one question's samples, one number a column. */
export type Sums = Float64Array;

/**
 * Redraws the questions with replacement and gives, for each redraw, the sums over those drawn. Questions are drawn
 * rather than samples because the formulations of one question succeed and fail together.
 *
 * @returns one row of sums for each of the `resamples`; deterministic in the seed.
 */
export function resample(questions: readonly Sums[], resamples: number, seed: number): Sums[] {
  const columns = questions[0]?.length ?? 0;
  const next = seededIntegers(seed);
  const n = questions.length;
  // One flat array, read from front to back: several times faster than an array a question in the order drawn.
  const flat = new Float64Array(n * columns);
  for (const [i, sums] of questions.entries()) flat.set(sums, i * columns);
  const drawn = new Uint16Array(n);
  return Array.from({ length: n === 0 ? 0 : resamples }, () => {
    drawn.fill(0);
    for (let draw = 0; draw < n; draw++) {
      const i = next(n);
      drawn[i] = (drawn[i] as number) + 1;
    }
    const total = new Float64Array(columns);
    for (let i = 0; i < n; i++) {
      const times = drawn[i] as number;
      if (times === 0) continue;
      const start = i * columns;
      for (let c = 0; c < columns; c++) total[c] = (total[c] as number) + times * (flat[start + c] as number);
    }
    return total;
  });
}

/** The 95 % percentile interval of a statistic over redraws, leaving out those where it is not defined; null without any. */
export function percentileInterval(values: readonly (number | null)[]): [number, number] | null {
  const sorted = Float64Array.from(values.filter((value) => value !== null)).sort();
  if (sorted.length === 0) return null;
  const at = (share: number) => sorted[Math.round(share * (sorted.length - 1))] as number;
  return [at(0.025), at(0.975)];
}
