import type Database from 'better-sqlite3';
import type { ColumnStatistics } from '../../../contracts/catalog.ts';
import type { Cell } from '../../../contracts/value.ts';
import { quoteIdentifier } from '../../../sql/print.ts';
import type { ListedTable } from './list-tables.ts';

/** Characters kept of a column's least and greatest texts; enough to show, not a whole article. */
const LONGEST_EXTREME = 200;

/** Rows read from a view: it may be a cross join. */
const MAX_VIEW_ROWS = 1_000_000;

/** Columns a pass: each column costs 8 of SQLite's 2,000 result columns and, for `distinct`, a table of its own. */
const COLUMNS_A_PASS = 100;

/** A call from within a scan costs more than a row: one in so many rows makes one. */
const ROWS_A_STEP = 1 << 16;
const STEP = 'rookery_step';

/** The number of rows of a table, and the statistics of its columns in their order. */
export interface TableStatistics {
  readonly rows: number;
  readonly columns: readonly ColumnStatistics[];
}

/**
 * One scan (a hundred columns). Nothing interrupts it: of a view, ask `readViews`. `onRows` is called while a large table
 * with row ids is scanned, with about how many rows have been read.
 */
export function readStatistics(
  connection: Database.Database,
  table: ListedTable,
  onRows?: (rows: number) => void,
): TableStatistics {
  const source = table.view
    ? `(SELECT * FROM ${quoteIdentifier(table.name)} LIMIT ${MAX_VIEW_ROWS})`
    : quoteIdentifier(table.name);
  const columns: ColumnStatistics[] = [];
  const step = stepOf(table);
  let rows = 0;
  let steps = 0;
  connection.function(STEP, () => {
    onRows?.(++steps * ROWS_A_STEP);
    return null;
  });
  for (let start = 0; start < table.columns.length; start += COLUMNS_A_PASS) {
    const pass = table.columns.slice(start, start + COLUMNS_A_PASS);
    const aggregates = pass.map(({ name }) => aggregatesOf(quoteIdentifier(name)));
    const answer = connection
      .prepare(`SELECT count(*), ${[...aggregates, step].join(', ')} FROM ${source}`)
      .raw()
      .get() as Aggregate[];
    rows = Number(answer[0]);
    for (let i = 0; i < pass.length; i++)
      columns.push(toStatistics(rows, answer.slice(1 + 8 * i, 9 + 8 * i)));
  }
  return { rows, columns };
}

/** An aggregate that is nothing, and counts steps. */
function stepOf({ has_rowid, columns }: ListedTable): string {
  const names = new Set(columns.map(({ name }) => name.toLowerCase()));
  const rowid = ['rowid', '_rowid_', 'oid'].find((each) => !names.has(each));
  return has_rowid && rowid ? `count(CASE WHEN ${rowid} % ${ROWS_A_STEP} = 0 THEN ${STEP}() END)` : 'NULL';
}

type Aggregate = number | string | Buffer | null;

function aggregatesOf(column: string): string {
  const stored = ['integer', 'real', 'text', 'blob'].map(
    (kind) => `count(*) FILTER (WHERE typeof(${column}) = '${kind}')`,
  );
  return [
    `count(${column})`,
    `count(DISTINCT ${column})`,
    `min(${column})`,
    `max(${column})`,
    ...stored,
  ].join(', ');
}

function toStatistics(rows: number, answer: readonly Aggregate[]): ColumnStatistics {
  const [present, distinct, min, max, integer, real, text, blob] = answer;
  return {
    rows,
    nulls: rows - Number(present),
    distinct: Number(distinct),
    min: toCell(min ?? null),
    max: toCell(max ?? null),
    storage: { integer: Number(integer), real: Number(real), text: Number(text), blob: Number(blob) },
  };
}

function toCell(value: Aggregate): Cell {
  if (typeof value === 'string') return shorten(value);
  if (Buffer.isBuffer(value)) return shorten(value.toString('hex').toUpperCase());
  // JSON has no infinity.
  if (value === Number.POSITIVE_INFINITY) return Number.MAX_VALUE;
  if (value === Number.NEGATIVE_INFINITY) return -Number.MAX_VALUE;
  return value;
}

/** Counts characters, not UTF-16 units, so that no character is cut in two. */
function shorten(text: string): string {
  if (text.length <= LONGEST_EXTREME) return text;
  return Array.from(text.slice(0, 2 * LONGEST_EXTREME))
    .slice(0, LONGEST_EXTREME)
    .join('');
}
