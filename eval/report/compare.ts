import { OptionError } from '../../contracts/errors.ts';
import { formulation } from '../../contracts/sample.ts';
import { failureClass } from '../../contracts/vocabulary.ts';
import {
  groupBy,
  percentileInterval,
  questionKey,
  type Resampling,
  ratios,
  resample,
  type SampleTest,
  type Sums,
  seededIntegers,
  type Triple,
} from '../metrics/figures.ts';
import { flatMetrics, isTask, METRICS } from '../metrics/metrics.ts';
import type { Report, SampleScore } from '../metrics/report.ts';

/** Limit on additions in an exact computation, well under a second; beyond it, flips are sampled. */
const MOST_STEPS = 40_000_000;
const DRAWS = 20_000;

/**
 * The sign-flip test on paired differences, one per question: the probability of a sum at least as far from
 * zero if neither side were better, so that each difference could have either sign. Two-sided; 1 if nothing
 * differs. If each difference is 1 or −1, this is McNemar's exact test. The formulations and attempts of one
 * question succeed and fail together, so their differences are summed first and flip together.
 *
 * Exact for differences that become integers when multiplied by `scale`; with too many, estimated from 20,000
 * draws.
 */
export function signFlipTest(differences: readonly number[], scale: number, seed: number): number {
  const whole = differences.map((d) => Math.abs(Math.round(d * scale))).filter((d) => d !== 0);
  const observed = Math.abs(differences.reduce((sum, d) => sum + Math.round(d * scale), 0));
  const reach = whole.reduce((sum, d) => sum + d, 0);
  if (reach === 0) return 1;
  if (whole.length * (2 * reach + 1) > MOST_STEPS) return drawn(whole, observed, seed);
  // chances[s + reach]: the probability that the differences so far, with random signs, sum to s.
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
  // Add one to both, since a finite number of draws cannot show impossibility.
  return (asFar + 1) / (DRAWS + 1);
}

/**
 * Holm's correction of p-values for the number of tests: the chance of any false positive at a level stays
 * below that level, even if the tests depend on each other. null stays null and does not count as a test.
 */
export function holm(values: readonly (number | null)[]): (number | null)[] {
  const known = values.flatMap((p, index) => (p === null ? [] : [{ p, index }])).sort((a, b) => a.p - b.p);
  const corrected: (number | null)[] = values.map(() => null);
  let least = 0;
  known.forEach(({ p, index }, rank) => {
    least = Math.max(least, Math.min(1, p * (known.length - rank)));
    corrected[index] = least;
  });
  return corrected;
}

/** One figure of two reports, over the samples that both ran. */
export interface PairedFigure {
  readonly name: string;
  readonly n: number;
  readonly questions: number;
  readonly first: number | null;
  readonly second: number | null;
  /** second − first, and its 95 % interval by paired bootstrap over questions. */
  readonly difference: number | null;
  readonly ci: readonly [number, number] | null;
  /** Two-sided p-value: by the sign-flip test over questions for shares, by the bootstrap for F1 scores. */
  readonly p: number | null;
}

/** A sample on which one side passes more attempts than the other. */
export interface Change {
  readonly sample_id: string;
  readonly first: string;
  readonly second: string;
}

export interface PairComparison {
  readonly figures: readonly PairedFigure[];
  readonly formulations: readonly PairedFigure[];
  readonly gained: readonly Change[];
  readonly lost: readonly Change[];
  /** Samples that only one of them ran, which are excluded. */
  readonly unpaired: number;
}

/** The attempts of both reports at one sample; neither list is empty. */
interface Pair {
  readonly question: string;
  readonly formulation: string;
  readonly sample_id: string;
  readonly sides: readonly [readonly SampleScore[], readonly SampleScore[]];
}

/** Compares the samples of two reports. Several attempts at a sample are averaged. */
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
    figures: flatMetrics(METRICS)
      .flatMap(([, { kind, of, compared }]) => {
        if (compared === undefined) return [];
        if (kind === 'share') return [comparedShare(compared, pairs, of, resampling)];
        return kind === 'f1' ? [comparedF1(compared, pairs, of, resampling)] : [];
      })
      .filter(({ n }) => n > 0),
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

/** Completion of two reports over the questions that both ran, whatever the formulations. */
export interface ComparedQuestions {
  readonly questions: number;
  /** second − first; null without a question. */
  readonly difference: number | null;
  /** Two-sided, by the sign-flip test over questions. */
  readonly p: number | null;
}

export function compareQuestions(
  first: readonly SampleScore[],
  second: readonly SampleScore[],
  seed: number,
): ComparedQuestions {
  const [a, b] = [attemptsByQuestion(first), attemptsByQuestion(second)];
  const pairs = [...a].flatMap(([question, attempts]) => {
    const others = b.get(question);
    return others === undefined ? [] : [[attempts, others] as const];
  });
  const questions = pairs.length;
  if (questions === 0) return { questions, difference: null, p: null };
  const differences = pairs.map(([x, y]) => passRate(y) - passRate(x));
  const scale = pairs
    .flat()
    .map(({ length }) => length)
    .reduce(leastCommonMultiple, 1);
  const difference = differences.reduce((sum, each) => sum + each, 0) / questions;
  return { questions, difference, p: signFlipTest(differences, scale, seed) };
}

function attemptsByQuestion(samples: readonly SampleScore[]): Map<string, SampleScore[]> {
  return groupBy([...attemptsOf(samples).values()].flat(), ({ db, question_id }) =>
    questionKey(db, question_id),
  );
}

const passes = ({ outcome }: SampleScore) => outcome === 'pass';

/** The attempts at each sample that counts for completion. */
export function attemptsOf(samples: readonly SampleScore[]): Map<string, SampleScore[]> {
  const counted = samples.filter((sample) => isTask(sample) && sample.outcome !== 'not_run');
  return groupBy(counted, ({ sample_id }) => sample_id);
}

export function passRate(attempts: readonly SampleScore[]): number {
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

/** Twice the share of resamples on the other side of zero; zeros count for both sides. */
function bootstrapP(redraws: readonly (number | null)[]): number | null {
  const values = redraws.filter((value) => value !== null);
  if (values.length === 0) return null;
  const atMost = values.filter((value) => value <= 0).length;
  const atLeast = values.filter((value) => value >= 0).length;
  // Add one to both, since a finite number of resamples cannot show impossibility.
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

export interface NamedReport {
  readonly name: string;
  readonly report: Report;
}

/** A paired figure with its corrected p-value. */
export interface CorrectedFigure extends PairedFigure {
  /** Holm-corrected over all tests of the comparison. */
  readonly p_holm: number | null;
}

export interface CorrectedPair extends PairComparison {
  readonly first: string;
  readonly second: string;
  readonly figures: readonly CorrectedFigure[];
  readonly formulations: readonly CorrectedFigure[];
}

export interface ComparedReport extends Pick<Report, 'metrics' | 'ledger' | 'repeated'> {
  readonly name: string;
  readonly model: string | null;
}

/** A comparison of any number of reports on one farm: side by side, and pairwise. */
export interface Comparison {
  readonly reports: readonly ComparedReport[];
  readonly pairs: readonly CorrectedPair[];
  /** Number of p-values that the correction covers. */
  readonly tests: number;
}

/**
 * Compares all pairs of reports, sample by sample; a farm's worlds may be mixed with the farm, which shows
 * memorized answers, and so may farms of its split under new names. Throws OPTION_INVALID if farms or scoring options differ.
 */
export function compareReports(reports: readonly NamedReport[], resampling: Resampling): Comparison {
  for (const other of reports.slice(1)) refuseMismatch(reports[0] as NamedReport, other);
  const pairs = reports.flatMap((first, i) =>
    reports.slice(i + 1).map((second) => ({
      first: first.name,
      second: second.name,
      ...comparePair(first.report.samples, second.report.samples, resampling),
    })),
  );
  const tests = pairs.flatMap(({ figures, formulations }) => [...figures, ...formulations]).map(({ p }) => p);
  const corrected = holm(tests);
  let next = 0;
  const correct = (figure: PairedFigure): CorrectedFigure => ({
    ...figure,
    p_holm: corrected[next++] ?? null,
  });
  return {
    reports: reports.map(({ name, report: { run, metrics, ledger, repeated } }) => ({
      name,
      model: run.model ?? null,
      metrics,
      ledger,
      repeated,
    })),
    pairs: pairs.map(({ figures, formulations, ...pair }) => ({
      ...pair,
      figures: figures.map(correct),
      formulations: formulations.map(correct),
    })),
    tests: tests.filter((p) => p !== null).length,
  };
}

/** Whether two farms have the same questions: one farm, worlds of one, or one and it with vectors or under new names. */
function haveSameQuestions({ farm: a }: Report, { farm: b }: Report): boolean {
  if ((a.world?.origin ?? a.hash) === (b.world?.origin ?? b.hash)) return true;
  const areVariants = [a, b].some(({ renamed, vectors }) => renamed !== null || vectors !== null);
  return areVariants && (a.renamed?.origin ?? a.content_hash) === (b.renamed?.origin ?? b.content_hash);
}

function refuseMismatch(first: NamedReport, second: NamedReport): void {
  const [a, b] = [first.report, second.report];
  if (!haveSameQuestions(a, b)) {
    const farms = [a, b].map(({ farm }) => `${farm.name} ${farm.hash.slice(0, 12)}`).join(' and ');
    throw new OptionError(
      'compare',
      `${first.name} and ${second.name} are of different farms (${farms}); score all against one`,
    );
  }
  for (const key of ['parse', 'columns', 'judge', 'legacy'] as const) {
    const [x, y] = [a.options[key], b.options[key]];
    if (x === y) continue;
    throw new OptionError(
      'compare',
      `${first.name} was scored with ${key} ${x}, ${second.name} with ${y}; score all alike`,
    );
  }
}
