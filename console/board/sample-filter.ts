import type { BoardSample } from '../../runner/board/board.ts';

/** Which samples of a board are looked at; empty: all. */
export interface SampleFilter {
  readonly db: string;
  readonly difficulty: string;
  readonly construct: string;
  /** Of the gold calls, by `LENGTHS`. */
  readonly length: string;
}

export const FILTER_NAMES = ['db', 'difficulty', 'construct', 'length'] as const;

/** Numbers of gold calls, as one chooses among them. */
export const LENGTHS: ReadonlyMap<string, readonly [least: number, most: number]> = new Map([
  ['1', [1, 1]],
  ['2-3', [2, 3]],
  ['4-6', [4, 6]],
  ['7 or more', [7, Number.POSITIVE_INFINITY]],
]);

/** The filter that an address has. */
export function filterOf(query: URLSearchParams): SampleFilter {
  const value = (name: string) => query.get(name) ?? '';
  return {
    db: value('db'),
    difficulty: value('difficulty'),
    construct: value('construct'),
    length: value('length'),
  };
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

/** What there is to choose from. */
export function choicesOf(samples: readonly BoardSample[]): Readonly<Record<keyof SampleFilter, string[]>> {
  const sorted = (values: readonly string[]) => [...new Set(values)].sort();
  return {
    db: sorted(samples.map(({ db }) => db)),
    difficulty: sorted(samples.flatMap(({ difficulty }) => difficulty ?? [])),
    construct: sorted(samples.flatMap(({ constructs }) => constructs)),
    length: [...LENGTHS.keys()],
  };
}
