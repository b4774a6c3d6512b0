import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { z } from 'zod';
import { countEach, groupBy } from '../../contracts/grouping.ts';
import type { SampleScore } from './report.ts';

export { countEach, groupBy };

export const count = z.number().int().nonnegative();
export const ratio = z.number().nullable();
/** 95 % bootstrap confidence interval over questions; null if there are no questions to resample. */
export const confidence = z.tuple([z.number(), z.number()]).nullable();

/** `count` of `n`; the value is null if n is 0. */
export const share = z.object({ value: ratio, count: count, n: count, ci: confidence });
export type Share = z.infer<typeof share>;

/** The mean over `n` samples; the value is null if n is 0. */
export const mean = z.object({ value: ratio, n: count });
export type Mean = z.infer<typeof mean>;

/** A mean with the median, the 95th percentile and the standard deviation of a sample; null if n is too small. */
export const spread = mean.extend({ p50: ratio, p95: ratio, sd: ratio.default(null) });
export type Spread = z.infer<typeof spread>;

/** A figure estimated over `n` samples, with its confidence interval. */
export const estimate = z.object({ value: ratio, n: count, ci: confidence });
export type Estimate = z.infer<typeof estimate>;

/** Micro-averaged precision, recall and F1 over `n` samples; the interval is for the F1. */
export const f1Score = z.object({
  precision: ratio,
  recall: ratio,
  f1: ratio,
  tp: count,
  fp: count,
  fn: count,
  n: count,
  ci: confidence,
});
export type F1Score = z.infer<typeof f1Score>;

/** `62.3 – 71.0`, or '' without an interval. */
export function interval(ci: readonly [number, number] | null): string {
  return ci === null ? '' : `${percent(ci[0], 5, '')} – ${percent(ci[1], 5, '')}`;
}

/** `62.3 %`, or a dash for null. */
export function percent(value: number | null, width = 0, unit = ' %'): string {
  return (value === null ? '–' : `${(value * 100).toFixed(1)}${unit}`).padStart(width);
}

export function number(value: number | null, width: number): string {
  return String(value ?? '–').padStart(width);
}

/** A table of a report or a comparison, for terminal and HTML. */
export interface ReportTable {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** A column of a table: its head, what it has of an item, and how a figure is written in the width of the head. */
export type TableColumn<T> =
  | readonly [head: string, of: (item: T) => string]
  | readonly [
      head: string,
      of: (item: T) => number | null,
      write: (figure: number | null, width: number) => string,
    ];

/** A table with a row for each item. */
export function tableOf<T>(
  title: string,
  items: readonly T[],
  columns: readonly TableColumn<T>[],
): ReportTable {
  return {
    title,
    head: columns.map(([head]) => head),
    rows: items.map((item) =>
      columns.map((column) =>
        column.length === 2 ? column[1](item) : column[2](column[1](item), column[0].length),
      ),
    ),
  };
}

export function shareRow(name: string, { value, ci, count, n }: Share): string[] {
  return [name, percent(value, 7), interval(ci), `${count} of ${n}`];
}

/** Identifies a question within its split. */
export function questionKey(db: string, questionId: string | number): string {
  return `${db}/${questionId}`;
}

/** True positives, false positives and false negatives; summed over samples before computing ratios (micro). */
export interface Counts {
  readonly tp: number;
  readonly fp: number;
  readonly fn: number;
}

export const NO_COUNTS: Counts = { tp: 0, fp: 0, fn: 0 };

export function addCounts(a: Counts, b: Counts): Counts {
  return { tp: a.tp + b.tp, fp: a.fp + b.fp, fn: a.fn + b.fn };
}

export interface Ratios {
  /** null if nothing was predicted. */
  readonly precision: number | null;
  /** null if nothing was expected. */
  readonly recall: number | null;
  /** null if there is nothing to count; 0 if nothing was right. */
  readonly f1: number | null;
}

/** Precision tp/(tp+fp), recall tp/(tp+fn), and their harmonic mean F1 = 2tp/(2tp+fp+fn). */
export function ratios({ tp, fp, fn }: Counts): Ratios {
  return {
    precision: tp + fp === 0 ? null : tp / (tp + fp),
    recall: tp + fn === 0 ? null : tp / (tp + fn),
    f1: tp + fp + fn === 0 ? null : (2 * tp) / (2 * tp + fp + fn),
  };
}

/** Compares two multisets by count; if both are empty, that is one true positive. */
export function countMultisets(gold: readonly string[], predicted: readonly string[]): Counts {
  if (gold.length === 0 && predicted.length === 0) return { tp: 1, fp: 0, fn: 0 };
  const left = countEach(gold);
  let tp = 0;
  for (const item of predicted) {
    const count = left.get(item) ?? 0;
    if (count === 0) continue;
    tp++;
    left.set(item, count - 1);
  }
  return { tp, fp: predicted.length - tp, fn: gold.length - tp };
}

/** A seeded generator of integers from 0 to n − 1: the same seed gives the same numbers on every machine. */
export function seededIntegers(seed: number): (n: number) => number {
  const generator = xoroshiro128plus(seed);
  return (n) => uniformInt(generator, 0, n - 1);
}

/** Sums over one question's samples, one number per column. */
export type Sums = Float64Array;

/**
 * Resamples the questions with replacement and returns the column sums of each resample. Questions are drawn
 * rather than samples because the formulations of one question succeed and fail together.
 * @returns one row of sums for each of the `resamples`; deterministic in the seed.
 */
export function resample(questions: readonly Sums[], resamples: number, seed: number): Sums[] {
  const columns = questions[0]?.length ?? 0;
  const next = seededIntegers(seed);
  const n = questions.length;
  // One flat array, read sequentially: several times faster than one array per question in random order.
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

/** The 95 % percentile interval of a statistic over resamples, skipping undefined values; null if all are. */
export function percentileInterval(values: readonly (number | null)[]): [number, number] | null {
  const sorted = Float64Array.from(values.filter((value) => value !== null)).sort();
  if (sorted.length === 0) return null;
  const at = (share: number) => sorted[Math.round(share * (sorted.length - 1))] as number;
  return [at(0.025), at(0.975)];
}

/** Whether a sample is a hit of a share; null if it does not count at all. */
export type SampleTest = (sample: SampleScore) => boolean | null;
/** A sample's `[tp, fp, fn]`; null if it does not count at all. */
export type Triple = (sample: SampleScore) => readonly [number, number, number] | null;

export interface Resampling {
  readonly seed: number;
  readonly resamples: number;
}

/** Named shares and F1 scores over samples with N and bootstrap interval, from the same resamples. */
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

/** Shares by name, each with its title in tables. */
export type TitledShares<Name extends string = string> = Readonly<
  Record<Name, readonly [title: string, test: SampleTest]>
>;

/** The fields of such shares in a report. */
export function shareSchemas<Name extends string>(shares: TitledShares<Name>): Record<Name, typeof share> {
  return Object.fromEntries(Object.keys(shares).map((name) => [name, share])) as Record<Name, typeof share>;
}

export function computeShares<Name extends string>(
  samples: readonly SampleScore[],
  shares: TitledShares<Name>,
  resampling: Resampling,
): Record<Name, Share> {
  const tests = Object.entries<readonly [string, SampleTest]>(shares).map(([name, [, test]]) => [name, test]);
  return computeFigures(samples, Object.fromEntries(tests) as Record<Name, SampleTest>, {}, resampling)
    .shares;
}

/** Their rows in a table. */
export function shareRows<Name extends string>(
  shares: TitledShares<Name>,
  figures: Readonly<Record<NoInfer<Name>, Share>>,
): string[][] {
  const names = Object.keys(shares) as Name[];
  return names.map((name) => shareRow(shares[name][0], figures[name]));
}

/** Figures of the members of each key that has any, in the order of the keys. */
export function groupsBy<T, Key extends string, Group>(
  keys: readonly Key[],
  items: readonly T[],
  isOf: (item: T, key: Key) => boolean,
  toGroup: (key: Key, members: readonly T[]) => Group,
): Group[] {
  return keys.flatMap((key) => {
    const members = items.filter((item) => isOf(item, key));
    return members.length > 0 ? [toGroup(key, members)] : [];
  });
}

/** The mean of a number over the samples that have it. */
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

/** The spread of numbers; percentiles by nearest rank. */
export function spreadOf(values: readonly number[]): Spread {
  const n = values.length;
  if (n === 0) return { value: null, n, p50: null, p95: null, sd: null };
  const sorted = Float64Array.from(values).sort();
  const at = (share: number) => sorted[Math.max(0, Math.ceil(share * n) - 1)] as number;
  const value = sorted.reduce((a, b) => a + b, 0) / n;
  const squares = sorted.reduce((sum, each) => sum + (each - value) ** 2, 0);
  return { value, n, p50: at(0.5), p95: at(0.95), sd: n < 2 ? null : Math.sqrt(squares / (n - 1)) };
}

/** Hits and N. */
const SHARE_COLUMNS = 2;
/** True positives, false positives, false negatives and N. */
const F1_COLUMNS = 4;
