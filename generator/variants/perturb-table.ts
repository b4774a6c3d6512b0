import type Database from 'better-sqlite3';
import { quoteIdentifier } from '../../sql/index.ts';
import type { Stored } from '../oracle/messages.ts';
import type { Change } from './change.ts';
import { nudgeWithin } from './nudge-within.ts';
import type { Random } from './random.ts';
import type { ColumnShape, TableShape } from './table-shape.ts';

/** How many rows of a table are read and may change. A million rows cost no more than a few thousand. */
const MAX_ROWS = 2000;

const DROP = 0.04;
const CHANGE_ROW = 0.2;
const CHANGE_CELL = 0.3;

/** A row's values by column; those of its identity too. */
export type Row = Record<string, Stored>;

/**
 * Random changes to a table: some rows are removed, and in some others a few values are exchanged with another row's,
 * nudged, or made NULL. Keys stay, so that most rows still join.
 */
export function perturbTable(db: Database.Database, table: TableShape, random: Random): Change[] {
  const rows = sampleRows(db, table, random);
  const changes: Change[] = [];
  for (const row of rows) {
    if (random.chance(DROP)) {
      changes.push({ kind: 'delete', table, row: identityOf(table, row) });
    } else if (random.chance(CHANGE_ROW)) {
      const set: Row = {};
      for (const column of table.columns) {
        if (column.unique || !random.chance(column.foreign ? CHANGE_CELL / 2 : CHANGE_CELL)) continue;
        set[column.name] = otherValue(row[column.name] ?? null, column, rows, random);
      }
      if (Object.keys(set).length > 0) {
        changes.push({ kind: 'update', table, row: identityOf(table, row), set });
      }
    }
  }
  return changes;
}

/** The part of a row that identifies it. */
export function identityOf(table: TableShape, row: Row): Row {
  return Object.fromEntries(table.identity.map((name) => [name, row[name] ?? null]));
}

function otherValue(value: Stored, column: ColumnShape, rows: readonly Row[], random: Random): Stored {
  if (column.nullable && random.chance(0.1)) return null;
  if (!column.foreign && random.chance(0.3)) return nudgeWithin(value, column.content, random);
  return random.pick(rows)?.[column.name] ?? value;
}

/** Up to 2,000 rows of a table: all, or runs of neighbouring rows from random places. */
export function sampleRows(db: Database.Database, table: TableShape, random: Random): Row[] {
  const names = new Set([...table.identity, ...table.columns.map(({ name }) => name)]);
  const all = `SELECT ${[...names].map((name) => `t.${quoteIdentifier(name)} AS ${quoteIdentifier(name)}`).join(', ')} FROM ${quoteIdentifier(table.name)} AS t`;
  const read = (sql: string, ...values: Stored[]) =>
    db
      .prepare<Stored[], Row>(sql)
      .safeIntegers()
      .all(...values);
  const key = table.identity.map((name) => `t.${quoteIdentifier(name)}`).join(', ');
  if (table.rows <= MAX_ROWS || table.columns[0] === undefined)
    return read(`${all} ORDER BY ${key} LIMIT ${MAX_ROWS}`);

  // Runs of neighbouring rows from random places: each costs one step down the table's tree.
  const [first] = table.identity;
  const runs = 40;
  const at = `t.${quoteIdentifier(first ?? 'rowid')}`;
  const bounds = db.prepare(
    `SELECT min(${at}) AS low, max(${at}) AS high FROM ${quoteIdentifier(table.name)} AS t`,
  );
  const { low, high } = bounds.safeIntegers().get() as { low: Stored; high: Stored };
  if (typeof low !== 'bigint' || typeof high !== 'bigint')
    return read(`${all} ORDER BY ${key} LIMIT ${MAX_ROWS}`);
  const found = new Map<string, Row>();
  for (let run = 0; run < runs; run++) {
    const from = low + BigInt(Math.floor(Number(high - low) * random.next()));
    for (const row of read(`${all} WHERE ${at} >= ? ORDER BY ${key} LIMIT ${MAX_ROWS / runs}`, from)) {
      found.set(table.identity.map((name) => String(row[name])).join('\n'), row);
    }
  }
  return [...found.values()];
}
