import { UserError } from '../../contracts/errors.ts';
import type { Report, SampleScore } from '../../contracts/report.ts';
import { formulation } from '../../contracts/sample.ts';
import { questionKey } from '../farm/read-farm.ts';
import { ratios } from '../metrics/counts.ts';
import { percentileInterval, resample, type Sums } from '../score/bootstrap.ts';
import type { Resampling, Triple } from '../score/figures.ts';
import { mcnemar } from './mcnemar.ts';

/** One figure of both reports over the samples that both have. */
export interface PairedFigure {
  readonly name: string;
  readonly n: number;
  readonly first: number | null;
  readonly second: number | null;
  /** second − first, and its 95 % interval by paired bootstrap over questions. */
  readonly difference: number | null;
  readonly ci: readonly [number, number] | null;
  /** The two-sided p-value: McNemar's exact test for shares, the bootstrap for F1 scores. */
  readonly p: number | null;
}

/** A sample that one side passes and the other does not. */
export interface Change {
  readonly sample_id: string;
  readonly first: string;
  readonly second: string;
}

export interface Comparison {
  readonly figures: readonly PairedFigure[];
  /** Completion in each formulation. */
  readonly formulations: readonly PairedFigure[];
  readonly gained: readonly Change[];
  readonly lost: readonly Change[];
  /** Samples that were run in one of the two only; they are left out. */
  readonly unpaired: number;
}

type Pair = readonly [SampleScore, SampleScore];

/**
 * Compares two reports sample by sample. Throws OPTION_INVALID when they are of different farms, or judged by
 * different rules.
 */
export function compareReports(first: Report, second: Report, resampling: Resampling): Comparison {
  refuseMismatch(first, second);
  const seconds = new Map(second.samples.filter(isTask).map((sample) => [sample.sample_id, sample]));
  const all = first.samples.filter(isTask).flatMap((a): Pair[] => {
    const b = seconds.get(a.sample_id);
    return b === undefined ? [] : [[a, b]];
  });
  const pairs = all.filter(([a, b]) => a.outcome !== 'not_run' && b.outcome !== 'not_run');
  const oneSided = all.filter(([a, b]) => (a.outcome === 'not_run') !== (b.outcome === 'not_run')).length;
  const changes = (from: number, to: number) =>
    pairs
      .filter((pair) => pair[from]?.outcome !== 'pass' && pair[to]?.outcome === 'pass')
      .map(([a, b]) => ({ sample_id: a.sample_id, first: describe(a), second: describe(b) }));
  return {
    figures: [
      comparedShare('completion', pairs, passes, resampling),
      comparedF1('intent F1, prefix', pairs, ({ intent }) => intent?.prefix ?? null, resampling),
      comparedF1('slot F1, canonical', pairs, ({ slot }) => slot?.canonical ?? null, resampling),
      comparedShare('execution accuracy', pairs, ({ execution }) => execution, resampling),
      comparedShare('exact string', pairs, ({ exact_string }) => exact_string, resampling),
    ].filter(({ n }) => n > 0),
    formulations: formulation.options
      .map((name) =>
        comparedShare(
          name,
          pairs.filter(([a]) => a.formulation === name),
          passes,
          resampling,
        ),
      )
      .filter(({ n }) => n > 0),
    gained: changes(0, 1),
    lost: changes(1, 0),
    unpaired: oneSided,
  };
}

const passes = ({ outcome }: SampleScore) => outcome === 'pass';
const isTask = ({ withheld }: SampleScore) => !withheld;

function refuseMismatch(first: Report, second: Report): void {
  if (first.farm.hash !== second.farm.hash) {
    const farms = `${first.farm.name} ${first.farm.hash.slice(0, 12)} and ${second.farm.name} ${second.farm.hash.slice(0, 12)}`;
    throw new UserError(
      'OPTION_INVALID',
      'compare',
      `the reports are of different farms (${farms}); score both against one`,
    );
  }
  for (const key of ['parse', 'columns', 'judge', 'legacy'] as const) {
    const [a, b] = [first.options[key], second.options[key]];
    if (a !== b) {
      throw new UserError(
        'OPTION_INVALID',
        'compare',
        `one was scored with ${key} ${a}, the other with ${b}; score both alike`,
      );
    }
  }
}

function comparedShare(
  name: string,
  pairs: readonly Pair[],
  verdict: (sample: SampleScore) => boolean | null,
  resampling: Resampling,
): PairedFigure {
  const known = pairs.flatMap((pair) => {
    const [a, b] = [verdict(pair[0]), verdict(pair[1])];
    return a === null || b === null ? [] : [{ pair, a, b }];
  });
  const only = (x: boolean, y: boolean) => known.filter(({ a, b }) => a === x && b === y).length;
  const sums = sumByQuestion(known.map(({ pair, a, b }) => [pair, [Number(a), Number(b), 1]]));
  const figureOf = (total: Sums, side: number) => (total[2] ? (total[side] as number) / total[2] : null);
  const { redraws: _, ...figure } = differenceOf(sums, 3, figureOf, resampling);
  const p = known.length === 0 ? null : mcnemar(only(true, false), only(false, true));
  return { name, n: known.length, ...figure, p };
}

function comparedF1(
  name: string,
  pairs: readonly Pair[],
  triple: Triple,
  resampling: Resampling,
): PairedFigure {
  const known = pairs.flatMap((pair): [Pair, number[]][] => {
    const [a, b] = [triple(pair[0]), triple(pair[1])];
    return a === null || b === null ? [] : [[pair, [...a, ...b]]];
  });
  const f1Of = (total: Sums, side: number) =>
    ratios({
      tp: total[side * 3] as number,
      fp: total[side * 3 + 1] as number,
      fn: total[side * 3 + 2] as number,
    }).f1;
  const { redraws, ...figure } = differenceOf(sumByQuestion(known), 6, f1Of, resampling);
  return { name, n: known.length, ...figure, p: bootstrapP(redraws) };
}

function differenceOf(
  sums: readonly Sums[],
  columns: number,
  figureOf: (total: Sums, side: number) => number | null,
  { seed, resamples }: Resampling,
) {
  const total = new Float64Array(columns);
  for (const question of sums)
    for (let c = 0; c < columns; c++) total[c] = (total[c] as number) + (question[c] as number);
  const between = (of: Sums) => {
    const [a, b] = [figureOf(of, 0), figureOf(of, 1)];
    return a === null || b === null ? null : b - a;
  };
  const redraws = resample(sums, resamples, seed).map(between);
  return {
    first: figureOf(total, 0),
    second: figureOf(total, 1),
    difference: between(total),
    ci: percentileInterval(redraws),
    redraws,
  };
}

/** Twice the share of redraws on the other side of zero; a redraw counts for both sides if it is zero. */
function bootstrapP(redraws: readonly (number | null)[]): number | null {
  const values = redraws.filter((value) => value !== null);
  if (values.length === 0) return null;
  const atMost = values.filter((value) => value <= 0).length;
  const atLeast = values.filter((value) => value >= 0).length;
  // One is added to both: a finite number of redraws cannot show that something is impossible.
  return Math.min(1, (2 * (Math.min(atMost, atLeast) + 1)) / (values.length + 1));
}

function sumByQuestion(rows: readonly (readonly [Pair, readonly number[]])[]): Sums[] {
  const questions = new Map<string, Sums>();
  for (const [[sample], values] of rows) {
    const key = questionKey(sample.db, sample.question_id);
    const sums = questions.get(key) ?? new Float64Array(values.length);
    questions.set(key, sums);
    for (const [c, value] of values.entries()) sums[c] = (sums[c] as number) + value;
  }
  return [...questions.values()];
}

function describe({ outcome, error_class }: SampleScore): string {
  return error_class ?? outcome;
}
