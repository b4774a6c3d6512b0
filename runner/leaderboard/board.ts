import type { Category } from '../../contracts/prediction.ts';
import type { Formulation } from '../../contracts/sample.ts';
import type { Report, SampleScore } from '../../eval/metrics/report.ts';
import type { FiguredRun } from './columns.ts';
import type { LeaderboardRow } from './leaderboard.ts';

/** Objects with the same keys, in columnar form. */
export interface Columns {
  readonly fields: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

/** Packs objects as rows under the keys of the first, which is far smaller than JSON objects. */
export function packRows(objects: readonly object[]): Columns {
  const fields = Object.keys(objects[0] ?? {});
  return { fields, rows: objects.map((each) => packRow(each, fields)) };
}

function packRow(object: object, fields: readonly string[]): unknown[] {
  const values = new Map<string, unknown>(Object.entries(object));
  return fields.map((field) => values.get(field) ?? null);
}

/** Reverses `packRows`. The caller vouches for the type. */
export function unpackRows<T>({ fields, rows }: Columns): T[] {
  return rows.map((row) => Object.fromEntries(fields.map((field, i) => [field, row[i]])) as T);
}

/** A run of a board, without its samples. */
export interface BoardRun extends FiguredRun {
  /** Used in URLs; unique in the board. */
  readonly id: string;
  readonly row: LeaderboardRow;
  readonly category: Category | null;
  readonly resampling: { readonly seed: number; readonly resamples: number };
  readonly farm: { readonly name: string; readonly hash: string; readonly world: string | null };
  readonly formulation: Formulation;
  readonly samples: number;
}

/**
 * `board.json`: the index of a leaderboard. Samples are in `samples/<id>.json`, whole reports in
 * `reports/<id>.json`, reviews in `reviews/<id>/<n>.json`.
 */
export interface Board {
  readonly format: typeof BOARD_FORMAT;
  readonly title: string;
  /** Whether reviews include the gold. */
  readonly gold: boolean;
  readonly runs: readonly BoardRun[];
  readonly published: readonly LeaderboardRow[];
}

export const BOARD_FORMAT = 'rookery-board/1';

/** A scored sample of a board, without its differences from the gold, which are in its review. */
export interface BoardSample extends Omit<SampleScore, 'confusions' | 'argument_faults'> {
  readonly question: string;
  readonly call_ms: readonly number[];
  /** For a pass: whether it fails in another world; null if not judged. */
  readonly lucky: boolean | null;
}

/** `reports/<id>.json`: the tables of a run's report, as printed in the terminal. */
export interface BoardReport {
  readonly headline: string;
  readonly tables: readonly {
    readonly title: string;
    readonly head: readonly string[];
    readonly rows: readonly (readonly string[])[];
  }[];
  readonly groups: Report['groups'];
}

/** Reviews per file: the n-th sample's is in file floor(n / 50). */
export const REVIEWS_PER_FILE = 50;
