import type { Category } from '../../contracts/prediction.ts';
import type { Formulation } from '../../contracts/sample.ts';
import type { Report, SampleScore } from '../../eval/metrics/report.ts';
import type { FiguredRun } from './columns.ts';
import type { LeaderboardRow } from './leaderboard.ts';

/** Objects with the same keys, each key written once. */
export interface Columns {
  readonly fields: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

/** Objects as rows under the keys of the first: a fraction of the text that JSON has for them. */
export function packRows(objects: readonly object[]): Columns {
  const fields = Object.keys(objects[0] ?? {});
  return { fields, rows: objects.map((each) => packRow(each, fields)) };
}

function packRow(object: object, fields: readonly string[]): unknown[] {
  const values = new Map<string, unknown>(Object.entries(object));
  return fields.map((field) => values.get(field) ?? null);
}

/** The objects again. What they are like is up to whoever packed them. */
export function unpackRows<T>({ fields, rows }: Columns): T[] {
  return rows.map((row) => Object.fromEntries(fields.map((field, i) => [field, row[i]])) as T);
}

/** A run of a board, without its samples. */
export interface BoardRun extends FiguredRun {
  /** Names it in addresses; unique in the board. */
  readonly id: string;
  /** Its row in the leaderboard, over all of its samples. */
  readonly row: LeaderboardRow;
  readonly category: Category | null;
  readonly resampling: { readonly seed: number; readonly resamples: number };
  readonly farm: { readonly name: string; readonly hash: string; readonly world: string | null };
  readonly formulation: Formulation;
  /** How many samples it has. */
  readonly samples: number;
}

/** `board.json`: what a leaderboard holds. Samples are in `samples/<id>.json`, whole reports in `reports/<id>.json`, reviews in `reviews/<id>/<n>.json`. */
export interface Board {
  readonly format: typeof BOARD_FORMAT;
  readonly title: string;
  /** Whether reviews tell the gold. */
  readonly gold: boolean;
  readonly runs: readonly BoardRun[];
  /** Rows of papers beside them. */
  readonly published: readonly LeaderboardRow[];
}

export const BOARD_FORMAT = 'rookery-board/1';

/** A scored sample of a board: all that figures are made of, and the question; where it parts from the gold is left to its review. */
export interface BoardSample extends Omit<SampleScore, 'confusions' | 'argument_faults'> {
  readonly question: string;
  /** Latencies of its calls. */
  readonly call_ms: readonly number[];
  /** Of a pass: whether it fails in another world; null where none judged it. */
  readonly lucky: boolean | null;
}

/** `reports/<id>.json`: every figure of the report that a run is from, as the terminal has them. */
export interface BoardReport {
  readonly headline: string;
  readonly tables: readonly {
    readonly title: string;
    readonly head: readonly string[];
    readonly rows: readonly (readonly string[])[];
  }[];
  readonly groups: Report['groups'];
}

/** How many reviews a file holds: the n-th sample's is in file n / 50, rounded down. */
export const REVIEWS_PER_FILE = 50;
