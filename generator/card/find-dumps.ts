import Database from 'better-sqlite3';
import { sameRows } from '../../contracts/same-rows.ts';
import type { Sample } from '../../contracts/sample.ts';
import type { Row } from '../../contracts/value.ts';
import { quoteIdentifier } from '../../sql/index.ts';
import { toCell } from '../oracle/to-cell.ts';

/** A domain's data, and the tables that it has. */
export interface Tables {
  /** Path of its SQLite file; only read. */
  readonly database: string;
  readonly tables: readonly { readonly name: string }[];
}

/**
 * The samples whose gold answer is a whole table, or one whole column of it, in the order in which SQLite gives its
 * rows. Each table is read once, and only where an answer has as many rows; no more rows are counted than answers have.
 */
export function findDumps(samples: readonly Sample[], { database, tables }: Tables): Set<Sample> {
  const dumps = new Set<Sample>();
  // One row is no list of anything: what is right about it is its values.
  const lists = samples.filter(({ gold_answer }) => gold_answer.length > 1);
  if (lists.length === 0) return dumps;
  const longest = lists.reduce((most, { gold_answer }) => Math.max(most, gold_answer.length), 0);
  const db = new Database(database, { readonly: true });
  try {
    for (const { name } of tables) {
      const from = `FROM ${quoteIdentifier(name)}`;
      const counted = `SELECT COUNT(*) FROM (SELECT 1 ${from} LIMIT ${longest + 1})`;
      const count = db.prepare<[], number>(counted).pluck().get();
      const alike = lists.filter((sample) => sample.gold_answer.length === count && !dumps.has(sample));
      if (alike.length === 0) continue;
      const rows = db
        .prepare<[], unknown[]>(`SELECT * ${from}`)
        .safeIntegers(true)
        .raw(true)
        .all()
        .map((row) => row.map(toCell));
      for (const sample of alike) if (isPartOf(sample, rows)) dumps.add(sample);
    }
  } finally {
    db.close();
  }
  return dumps;
}

function isPartOf({ gold_answer: gold, order_groups }: Sample, rows: readonly Row[]): boolean {
  const width = rows[0]?.length ?? 0;
  if (gold[0]?.length === width && sameRows(gold, rows, order_groups)) return true;
  if (gold[0]?.length !== 1) return false;
  return Array.from({ length: width }, (_, at) => rows.map((row) => [row[at] ?? null])).some((column) =>
    sameRows(gold, column, order_groups),
  );
}
