import { failureClass } from '../../contracts/error-classes.ts';
import type { SampleScore } from '../../contracts/report.ts';
import { formulation } from '../../contracts/sample.ts';
import { questionKey } from '../farm/question-key.ts';
import { ratios } from '../metrics/counts.ts';
import { percentileInterval, resample, type Sums } from '../score/bootstrap.ts';
import type { Resampling, Triple, SampleTest } from '../score/figures.ts';
import { signFlipTest } from './sign-flip.ts';

/** One figure of two reports over the samples that both ran. */
export interface PairedFigure {
  readonly name: string;
  /** Samples, and the questions that they are of. */
  readonly n: number;
  readonly questions: number;
  readonly first: number | null;
  readonly second: number | null;
  /** second − first, and its 95 % interval by paired bootstrap over questions. */
  readonly difference: number | null;
  readonly ci: readonly [number, number] | null;
  /** The two-sided p-value: the sign-flip test over questions for shares, the bootstrap for F1 scores. */
  readonly p: number | null;
}

/** A sample of which one side passes more attempts than the other. */
export interface Change {
  readonly sample_id: string;
  readonly first: string;
  readonly second: string;
}

/** Two reports compared, sample by sample. */
export interface PairComparison {
  readonly figures: readonly PairedFigure[];
  /** Completion in each formulation. */
  readonly formulations: readonly PairedFigure[];
  readonly gained: readonly Change[];
  readonly lost: readonly Change[];
  /** Samples that only one of them ran; they are left out. */
  readonly unpaired: number;
}

/** The attempts of both at one sample, none of them empty. */
interface Pair {
  readonly question: string;
  readonly formulation: string;
  readonly sample_id: string;
  readonly sides: readonly [readonly SampleScore[], readonly SampleScore[]];
}

/** Compares the samples of two reports. Where a sample was attempted several times, its attempts are averaged. */
export function comparePair(
  first: readonly SampleScore[],
  second: readonly SampleScore[],
  resampling: Resampling,
): PairComparison {
  const [a, b] = [attemptsOf(first), attemptsOf(second)];
  const pairs = [...a].flatMap(([id, attempts]): Pair[] => {
    const others = b.get(id);
    const [sample] = attempts;
    if (others === undefined || sample === undefined) return [];
    const question = questionKey(sample.db, sample.question_id);
    return [{ question, formulation: sample.formulation, sample_id: id, sides: [attempts, others] }];
  });
  const changes = (sign: 1 | -1) =>
    pairs
      .filter(({ sides: [x, y] }) => sign * (passRate(y) - passRate(x)) > 0)
      .map(({ sample_id, sides: [x, y] }) => ({ sample_id, first: describe(x), second: describe(y) }));
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
          pairs.filter((pair) => pair.formulation === name),
          passes,
          resampling,
        ),
      )
      .filter(({ n }) => n > 0),
    gained: changes(1),
    lost: changes(-1),
    unpaired: a.size + b.size - 2 * pairs.length,
  };
}

const passes = ({ outcome }: SampleScore) => outcome === 'pass';

/** The attempts that were run, by sample. */
function attemptsOf(samples: readonly SampleScore[]): Map<string, SampleScore[]> {
  const attempts = new Map<string, SampleScore[]>();
  for (const sample of samples) {
    if (sample.withheld || sample.outcome === 'not_run') continue;
    const known = attempts.get(sample.sample_id);
    if (known === undefined) attempts.set(sample.sample_id, [sample]);
    else known.push(sample);
  }
  return attempts;
}

function passRate(attempts: readonly SampleScore[]): number {
  return attempts.filter(passes).length / attempts.length;
}

function describe(attempts: readonly SampleScore[]): string {
  const [only, ...others] = attempts as readonly [SampleScore, ...SampleScore[]];
  if (others.length === 0) return failureClass(only) ?? only.outcome;
  return `${attempts.filter(passes).length} of ${attempts.length}`;
}

function comparedShare(
  name: string,
  pairs: readonly Pair[],
  verdict: SampleTest,
  resampling: Resampling,
): PairedFigure {
  const scales = new Set<number>();
  const known = pairs.flatMap((pair): [Pair, number[]][] => {
    const shares = pair.sides.map((attempts) => {
      const verdicts = attempts.map(verdict).filter((each) => each !== null);
      scales.add(verdicts.length);
      return verdicts.length === 0 ? null : verdicts.filter(Boolean).length / verdicts.length;
    });
    const [a, b] = shares;
    return a == null || b == null ? [] : [[pair, [a, b, 1]]];
  });
  const sums = sumByQuestion(known);
  const figureOf = (total: Sums, side: number) => (total[2] ? (total[side] as number) / total[2] : null);
  const { redraws: _, ...figure } = differenceOf(sums, 3, figureOf, resampling);
  const scale = [...scales].filter((n) => n > 0).reduce(leastCommonMultiple, 1);
  const differences = sums.map((sum) => (sum[1] as number) - (sum[0] as number));
  const p = known.length === 0 ? null : signFlipTest(differences, scale, resampling.seed);
  return { name, n: known.length, questions: sums.length, ...figure, p };
}

function comparedF1(
  name: string,
  pairs: readonly Pair[],
  triple: Triple,
  resampling: Resampling,
): PairedFigure {
  const known = pairs.flatMap((pair): [Pair, number[]][] => {
    const [a, b] = pair.sides.map((attempts) => meanTriple(attempts, triple));
    return a == null || b == null ? [] : [[pair, [...a, ...b]]];
  });
  const f1Of = (total: Sums, side: number) =>
    ratios({
      tp: total[side * 3] as number,
      fp: total[side * 3 + 1] as number,
      fn: total[side * 3 + 2] as number,
    }).f1;
  const sums = sumByQuestion(known);
  const { redraws, ...figure } = differenceOf(sums, 6, f1Of, resampling);
  return { name, n: known.length, questions: sums.length, ...figure, p: bootstrapP(redraws) };
}

function meanTriple(attempts: readonly SampleScore[], triple: Triple): number[] | null {
  const known = attempts.map(triple).filter((each) => each !== null);
  if (known.length === 0) return null;
  return [0, 1, 2].map((i) => known.reduce((sum, each) => sum + (each[i] as number), 0) / known.length);
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
  for (const [{ question }, values] of rows) {
    const sums = questions.get(question) ?? new Float64Array(values.length);
    questions.set(question, sums);
    for (const [c, value] of values.entries()) sums[c] = (sums[c] as number) + value;
  }
  return [...questions.values()];
}

function leastCommonMultiple(a: number, b: number): number {
  const divisor = (x: number, y: number): number => (y === 0 ? x : divisor(y, x % y));
  return (a * b) / divisor(a, b);
}
