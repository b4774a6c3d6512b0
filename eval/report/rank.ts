import { isTask } from '../metrics/metrics.ts';
import type { Report } from '../metrics/report.ts';

/** Spearman's rank correlation, with ties at their mean rank; null if one list ranks all items equal. */
export function rankCorrelation(a: readonly number[], b: readonly number[]): number | null {
  return pearson(meanPlaces(a), meanPlaces(b));
}

function meanPlaces(values: readonly number[]): number[] {
  return values.map((value) => {
    const before = values.filter((other) => other < value).length;
    const tied = values.filter((other) => other === value).length;
    return before + (tied + 1) / 2;
  });
}

function pearson(a: readonly number[], b: readonly number[]): number | null {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [meanA, meanB] = [mean(a), mean(b)];
  let [both, squaresA, squaresB] = [0, 0, 0];
  a.forEach((value, i) => {
    const [da, db] = [value - meanA, (b[i] ?? 0) - meanB];
    both += da * db;
    squaresA += da * da;
    squaresB += db * db;
  });
  return squaresA === 0 || squaresB === 0 ? null : both / Math.sqrt(squaresA * squaresB);
}

/** Points for the first, second, … place in a task, as in DBGorilla's ranking; later places get none. */
const POINTS = [100, 70, 50, 35, 25, 20, 15, 10, 5];

/** Points of candidates by rank, 1 for the best; equal ranks share their points. Ranks may have gaps. */
export function pointsOf(ranks: readonly number[]): number[] {
  return ranks.map((rank) => {
    const before = ranks.filter((other) => other < rank).length;
    const tied = ranks.filter((other) => other === rank).length;
    const places = POINTS.slice(before, before + tied);
    return places.reduce((sum, points) => sum + points, 0) / tied;
  });
}

/** Ranks of items by a comparison, the best first: 1, 2, 2, 4 for a tie. */
export function ranksOf<T>(items: readonly T[], isBetter: (a: T, b: T) => boolean): number[] {
  return items.map((item) => 1 + items.filter((other) => isBetter(other, item)).length);
}

export interface Candidate {
  readonly passes: boolean;
  readonly exact: boolean;
  readonly ast: number;
  /** Number of call arguments, or of calls without any: the simpler of two otherwise equal results wins. */
  readonly parts: number;
  /** The calls as canonical JSON; null if there are none, or none could be read. */
  readonly calls: string | null;
}

/** Points and first places of models by their ranks in each task, the best first. */
export function standingsTable(
  title: string,
  names: readonly string[],
  ranks: readonly (readonly number[])[],
): {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
} {
  const rows = standingsOf(ranks, names.length)
    .map((standing, i) => ({ ...standing, name: names[i] ?? '' }))
    .sort((a, b) => b.points - a.points)
    .map(({ name, points, first }) => [
      name,
      points.toFixed(0),
      `${((first / ranks.length) * 100).toFixed(1)} %`,
    ]);
  return { title, head: ['model', 'points', 'first'], rows };
}

/** The ranking by execution, with how far predictions differ; null if no task was attempted by all. */
export function rankingTable(names: readonly string[], tasks: readonly RankedTask[]) {
  if (tasks.length === 0) return null;
  const { different, unanimous } = agreementOf(tasks);
  const note = `${tasks.length} tasks; ${different.toFixed(1)} different predictions of ${names.length} on average, all the same on ${unanimous}`;
  const ranks = tasks.map((task) => task.ranks);
  return { ...standingsTable('By execution', names, ranks), note };
}

/** A task with every model's result, in the order of the models. */
export interface RankedTask {
  readonly sampleId: string;
  readonly question: string;
  readonly candidates: readonly Candidate[];
  /** By execution, then exact match, then AST score, then simplicity; 1 is the best. */
  readonly ranks: readonly number[];
}

/** Ranks the tasks that all runs of a farm attempted, by their metrics alone. First attempts count. */
export function rankTasks(reports: readonly Report[]): RankedTask[] {
  const [first, ...others] = reports.map(
    ({ samples }) =>
      new Map(
        samples
          .filter((sample) => sample.epoch === 1 && isTask(sample) && sample.outcome !== 'not_run')
          .map((sample) => [sample.sample_id, sample]),
      ),
  );
  return [...(first ?? [])].flatMap(([sampleId, sample]) => {
    const all = [sample, ...others.flatMap((samples) => samples.get(sampleId) ?? [])];
    if (all.length < reports.length) return [];
    const candidates = all.map((one): Candidate => {
      const calls = one.shown.predicted_calls;
      return {
        passes: one.outcome === 'pass',
        exact: one.query?.exact ?? false,
        ast: one.query?.ast ?? 0,
        parts: partsOf(calls ?? []),
        calls: calls === null || calls.length === 0 ? null : JSON.stringify(calls.map(sorted)),
      };
    });
    return [{ sampleId, question: sample.shown.question, candidates, ranks: ranksOf(candidates, isBetter) }];
  });
}

function isBetter(a: Candidate, b: Candidate): boolean {
  if (a.passes !== b.passes) return a.passes;
  if (a.exact !== b.exact) return a.exact;
  if (Math.abs(a.ast - b.ast) > 1e-9) return a.ast > b.ast;
  return a.parts < b.parts;
}

function partsOf(calls: readonly unknown[]): number {
  return calls.reduce((sum: number, call) => {
    const args =
      typeof call === 'object' && call !== null && 'arguments' in call
        ? Object.keys(call.arguments ?? {})
        : [];
    return sum + Math.max(1, args.length);
  }, 0);
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype)
    return typeof value === 'bigint' ? String(value) : value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
}

/** Points of each model over all tasks, and its first places; a shared one counts for each. */
export function standingsOf(ranks: readonly (readonly number[])[], models: number) {
  const all = ranks.map((each) => ({ points: pointsOf(each), best: Math.min(...each), each }));
  return Array.from({ length: models }, (_, model) => ({
    points: all.reduce((sum, { points }) => sum + (points[model] ?? 0), 0),
    first: all.filter(({ each, best }) => each[model] === best).length,
  }));
}

export interface Agreement {
  /** Mean number of different predictions per task. */
  readonly different: number;
  /** Tasks on which all models made the same calls. */
  readonly unanimous: number;
}

export function agreementOf(tasks: readonly RankedTask[]): Agreement {
  const counts = tasks.map(({ candidates }) => new Set(candidates.map(({ calls }) => calls)).size);
  return {
    different: counts.reduce((sum, count) => sum + count, 0) / Math.max(1, counts.length),
    unanimous: counts.filter((count) => count === 1).length,
  };
}

/** The mean rank correlation of two rankings over the tasks where both discriminate, and the number of these tasks. */
export function meanCorrelation(
  a: readonly (readonly number[])[],
  b: readonly (readonly number[])[],
): { readonly value: number | null; readonly n: number } {
  const known = a.flatMap((ranks, i) => {
    const value = rankCorrelation(ranks, b[i] ?? []);
    return value === null ? [] : [value];
  });
  if (known.length === 0) return { value: null, n: 0 };
  return { value: known.reduce((sum, value) => sum + value, 0) / known.length, n: known.length };
}
