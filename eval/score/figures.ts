import type { F1Score, Mean, SampleScore, Share, Spread } from '../../contracts/report.ts';
import { questionKey } from '../farm/question-key.ts';
import { ratios } from '../metrics/counts.ts';
import { percentileInterval, resample, type Sums } from './bootstrap.ts';

/** Whether a sample counts towards a share, and for it; null if it does not count at all. */
export type SampleTest = (sample: SampleScore) => boolean | null;
/** A sample's `[tp, fp, fn]`; null if it does not count at all. */
export type Triple = (sample: SampleScore) => readonly [number, number, number] | null;

export interface Resampling {
  readonly seed: number;
  readonly resamples: number;
}

/**
 * Computes named shares and F1 scores over samples, each with its N and its bootstrap interval; all of them share
 * the same redraws.
 */
export function computeFigures<S extends string, F extends string>(
  samples: readonly SampleScore[],
  shares: Readonly<Record<S, SampleTest>>,
  f1Scores: Readonly<Record<F, Triple>>,
  { seed, resamples }: Resampling,
): { shares: Record<S, Share>; f1Scores: Record<F, F1Score> } {
  const shareNames = Object.keys(shares) as S[];
  const f1Names = Object.keys(f1Scores) as F[];
  const offset = shareNames.length * SHARE_COLUMNS;
  const width = offset + f1Names.length * F1_COLUMNS;
  const total = new Float64Array(width);
  const questions = new Map<string, Sums>();
  for (const sample of samples) {
    const key = questionKey(sample.db, sample.question_id);
    const sums = questions.get(key) ?? new Float64Array(width);
    questions.set(key, sums);
    const add = (column: number, value: number) => {
      sums[column] = (sums[column] as number) + value;
      total[column] = (total[column] as number) + value;
    };
    shareNames.forEach((name, i) => {
      const verdict = shares[name](sample);
      if (verdict === null) return;
      add(i * SHARE_COLUMNS, Number(verdict));
      add(i * SHARE_COLUMNS + 1, 1);
    });
    f1Names.forEach((name, i) => {
      const triple = f1Scores[name](sample);
      if (triple === null) return;
      const start = offset + i * F1_COLUMNS;
      triple.forEach((count, j) => {
        add(start + j, count);
      });
      add(start + 3, 1);
    });
  }
  const redraws = resample([...questions.values()], resamples, seed);
  const share = (sums: Sums, start: number) =>
    sums[start + 1] === 0 ? null : (sums[start] as number) / (sums[start + 1] as number);
  const countsAt = (sums: Sums, start: number) => ({
    tp: sums[start] as number,
    fp: sums[start + 1] as number,
    fn: sums[start + 2] as number,
  });
  const shareEntries = shareNames.map((name, i): [S, Share] => {
    const start = i * SHARE_COLUMNS;
    const [count, n] = [total[start] as number, total[start + 1] as number];
    const ci = n === 0 ? null : percentileInterval(redraws.map((sums) => share(sums, start)));
    return [name, { value: share(total, start), count, n, ci }];
  });
  const f1Entries = f1Names.map((name, i): [F, F1Score] => {
    const start = offset + i * F1_COLUMNS;
    const counts = countsAt(total, start);
    const n = total[start + 3] as number;
    const ci = n === 0 ? null : percentileInterval(redraws.map((sums) => ratios(countsAt(sums, start)).f1));
    return [name, { ...ratios(counts), ...counts, n, ci }];
  });
  return {
    shares: Object.fromEntries(shareEntries) as Record<S, Share>,
    f1Scores: Object.fromEntries(f1Entries) as Record<F, F1Score>,
  };
}

/** The mean over the samples that have the number. */
export function meanOf(samples: readonly SampleScore[], of: (sample: SampleScore) => number | null): Mean {
  let [sum, n] = [0, 0];
  for (const sample of samples) {
    const value = of(sample);
    if (value === null) continue;
    sum += value;
    n++;
  }
  return { value: n === 0 ? null : sum / n, n };
}

/** The mean, the median and the 95th percentile (nearest rank) of numbers. */
export function spreadOf(values: readonly number[]): Spread {
  const n = values.length;
  if (n === 0) return { value: null, n, p50: null, p95: null };
  const sorted = Float64Array.from(values).sort();
  const at = (share: number) => sorted[Math.max(0, Math.ceil(share * n) - 1)] as number;
  return { value: sorted.reduce((a, b) => a + b, 0) / n, n, p50: at(0.5), p95: at(0.95) };
}

/** Hits and N. */
const SHARE_COLUMNS = 2;
/** True positives, false positives, false negatives and N. */
const F1_COLUMNS = 4;
