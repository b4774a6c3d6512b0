import { FAILURE_CLASSES, failureClass } from '../../contracts/vocabulary.ts';
import { computeFigures, groupBy } from '../../eval/metrics/figures.ts';
import { type FiguredSample, isTask } from '../../eval/metrics/metrics.ts';
import { completionOf } from '../../eval/metrics/summary.ts';
import type { BoardRun, BoardSample } from '../../runner/leaderboard/board.ts';
import { figuresOfSamples } from '../../runner/leaderboard/columns.ts';
import type { LeaderboardRow } from '../../runner/leaderboard/leaderboard.ts';

export const FILTER_NAMES = ['db', 'difficulty', 'construct', 'length'] as const;

/** Which samples of a board are looked at; empty: all. `length`: the number of gold calls, a key of `LENGTHS`. */
export type SampleFilter = Readonly<Record<(typeof FILTER_NAMES)[number], string>>;

/** Choices for the number of gold calls. */
export const LENGTHS: ReadonlyMap<string, readonly [least: number, most: number]> = new Map([
  ['1', [1, 1]],
  ['2-3', [2, 3]],
  ['4-6', [4, 6]],
  ['7 or more', [7, Number.POSITIVE_INFINITY]],
]);

/** The filter that an address has. */
export function filterOf(query: URLSearchParams): SampleFilter {
  return Object.fromEntries(FILTER_NAMES.map((name) => [name, query.get(name) ?? ''])) as SampleFilter;
}

/** Whether a filter lets anything through. */
export function isOpen(filter: SampleFilter): boolean {
  return FILTER_NAMES.every((name) => filter[name] === '');
}

export function filterSamples(samples: readonly BoardSample[], filter: SampleFilter): readonly BoardSample[] {
  if (isOpen(filter)) return samples;
  const { db, difficulty, construct, length } = filter;
  const [least, most] = LENGTHS.get(length) ?? [0, Number.POSITIVE_INFINITY];
  return samples.filter(
    (sample) =>
      (db === '' || sample.db === db) &&
      (difficulty === '' || sample.difficulty === difficulty) &&
      (construct === '' || sample.constructs.includes(construct)) &&
      sample.gold_calls >= least &&
      sample.gold_calls <= most,
  );
}

export function choicesOf(samples: readonly BoardSample[]): Readonly<Record<keyof SampleFilter, string[]>> {
  const sorted = (values: readonly string[]) => [...new Set(values)].sort();
  return {
    db: sorted(samples.map(({ db }) => db)),
    difficulty: sorted(samples.flatMap(({ difficulty }) => difficulty ?? [])),
    construct: sorted(samples.flatMap(({ constructs }) => constructs)),
    length: [...LENGTHS.keys()],
  };
}

/** What became of a sample in a run: its passes of so many attempts. */
export interface MatrixCell {
  readonly passes: number;
  readonly attempts: number;
  /** Every pass was luck. */
  readonly lucky: boolean;
  /** Where the review of the first attempt is. */
  readonly n: number;
}

/** A question and its outcome in each run; null where a run has not attempted it. */
export interface MatrixLine {
  readonly sample: BoardSample;
  readonly cells: readonly (MatrixCell | null)[];
}

/** The samples of several runs by question, whatever the formulation, in the order in which they are met. */
export function makeMatrix(runs: readonly (readonly BoardSample[])[]): MatrixLine[] {
  const lines = new Map<string, { sample: BoardSample; cells: (MatrixCell | null)[] }>();
  runs.forEach((samples, at) => {
    samples.forEach((sample, n) => {
      const key = `${sample.db} ${sample.question_id}`;
      const line = lines.get(key) ?? { sample, cells: runs.map(() => null) };
      lines.set(key, line);
      const cell = line.cells[at] ?? { passes: 0, attempts: 0, lucky: true, n };
      if (sample.outcome === 'not_run') return;
      const passes = sample.outcome === 'pass' ? 1 : 0;
      line.cells[at] = {
        passes: cell.passes + passes,
        attempts: cell.attempts + 1,
        lucky: cell.lucky && (passes === 0 || sample.lucky === true),
        n: cell.n,
      };
    });
  });
  return [...lines.values()];
}

type FailureClass = (typeof FAILURE_CLASSES)[number];

/** The samples of a run that failed in one way: how many, and where the first of them are. */
export interface Failures {
  readonly count: number;
  readonly first: readonly number[];
}

const FIRST = 3;

export function failuresOf(
  runs: readonly (readonly BoardSample[])[],
): ReadonlyMap<FailureClass, readonly Failures[]> {
  const found = runs.map((samples) =>
    groupBy(samples.keys(), (n) => failureClass(samples[n] as BoardSample)),
  );
  const used = FAILURE_CLASSES.filter((name) => found.some((byClass) => byClass.has(name)));
  return new Map(
    used.map((name) => [
      name,
      found.map((byClass) => {
        const places = byClass.get(name) ?? [];
        return { count: places.length, first: places.slice(0, FIRST) };
      }),
    ]),
  );
}

/** Whether the runs that attempted it differ in their share of passes. */
export function isContested({ cells }: MatrixLine): boolean {
  const shares = cells.flatMap((cell) => (cell === null ? [] : [cell.passes / cell.attempts]));
  return new Set(shares).size > 1;
}

/** `pass`, `lucky`, `fail`, or `some` where some of several attempts passed. */
export function cellKind({ passes, attempts, lucky }: MatrixCell): 'pass' | 'lucky' | 'fail' | 'some' {
  if (passes === 0) return 'fail';
  if (passes < attempts) return 'some';
  return lucky ? 'lucky' : 'pass';
}

/**
 * The row of a run over some of its samples: the figures of a score report, by the code that makes those. It has no interval yet,
 * which takes as long again.
 */
export function filteredRow(run: BoardRun, samples: readonly BoardSample[]): LeaderboardRow {
  const judged = samples.filter(({ lucky }) => lucky !== null);
  const worlds = { passes: judged.length, lucky: judged.filter(({ lucky }) => lucky).length };
  return {
    ...run.row,
    ...figuresOfSamples(
      samples.map(toFigured),
      { ...run.resampling, resamples: 0 },
      run.category,
      run,
      judged.length === 0 ? null : worlds,
    ),
    // Over other samples than the run in a world.
    world_difference: null,
    renamed_difference: null,
  };
}

/**
 * The interval of such a row: that of completion is the only one that a leaderboard shows. Redraws are the same whatever
 * is summed over them, so it is the interval of a report.
 */
export function intervalOf(run: BoardRun, samples: readonly BoardSample[]): LeaderboardRow['interval'] {
  const tasks = samples.map(toFigured).filter(isTask);
  return computeFigures(tasks, { completion: completionOf(tasks) }, {}, run.resampling).shares.completion.ci;
}

const figuredSamples = new WeakMap<BoardSample, FiguredSample>();

function toFigured(sample: BoardSample): FiguredSample {
  const known = figuredSamples.get(sample);
  if (known) return known;
  const { question: _, call_ms, lucky: __, ...score } = sample;
  const transcript = call_ms.map((latency_ms) => ({ latency_ms }));
  const figured = { ...score, confusions: [], argument_faults: [], shown: { transcript } };
  figuredSamples.set(sample, figured);
  return figured;
}
