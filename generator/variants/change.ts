import Database from 'better-sqlite3';
import { quoteIdentifier } from '../../sql/index.ts';
import type { Stored } from '../oracle/messages.ts';
import { rebuildSearchIndexes } from '../served-copy/search-indexes.ts';
import type { TableShape } from './table-shape.ts';

type Values = Readonly<Record<string, Stored>>;

/** One step from a database to its neighbour. `row` holds the identity columns of the changed row. */
export type Change =
  | { readonly kind: 'delete'; readonly table: TableShape; readonly row: Values }
  | { readonly kind: 'update'; readonly table: TableShape; readonly row: Values; readonly set: Values }
  | { readonly kind: 'insert'; readonly table: TableShape; readonly values: Values };

/**
 * Makes the changes in a database file, in order; one that the schema refuses is left out. The schema stays
 * as it is; triggers do not fire and foreign keys are not enforced. The same changes on files with the same
 * rows leave the same rows, row ids included.
 */
export function applyChanges(file: string, changes: readonly Change[]): void {
  const db = new Database(file, { fileMustExist: true });
  try {
    db.pragma('foreign_keys = OFF');
    db.pragma('journal_mode = MEMORY');
    db.pragma('synchronous = OFF');
    const make = changeMaker(db);
    db.transaction(() => {
      withoutTriggers(db, () => {
        for (const change of changes) make(change);
      });
      rebuildSearchIndexes(db);
    })();
    db.pragma('journal_mode = DELETE');
  } finally {
    db.close();
  }
}

/**
 * Makes changes in an open database, one at a time. Gives how many rows changed: none when the schema refuses the change
 * or the row is gone.
 */
export function changeMaker(db: Database.Database): (change: Change) => number {
  const statements = new Map<string, Database.Statement<Stored[]>>();
  return (change) => {
    const sql = sqlOf(change);
    const statement = statements.get(sql) ?? db.prepare<Stored[]>(sql);
    statements.set(sql, statement);
    try {
      return statement.run(...valuesOf(change)).changes;
    } catch (error) {
      if (!(error instanceof Database.SqliteError) || !isRefusal(error.code)) throw error;
      return 0;
    }
  };
}

/** A constraint, a row id that is no integer, or a value that an index or a generated column cannot be computed from. */
function isRefusal(code: string): boolean {
  return (
    code.startsWith('SQLITE_CONSTRAINT') || code === 'SQLITE_MISMATCH' || code.startsWith('SQLITE_ERROR')
  );
}

function sqlOf(change: Change): string {
  const table = quoteIdentifier(change.table.name);
  const where = change.table.identity.map((name) => `${quoteIdentifier(name)} IS ?`).join(' AND ');
  switch (change.kind) {
    case 'delete':
      return `DELETE FROM ${table} WHERE ${where}`;
    case 'update': {
      const set = Object.keys(change.set).map((name) => `${quoteIdentifier(name)} = ?`);
      return `UPDATE OR IGNORE ${table} SET ${set.join(', ')} WHERE ${where}`;
    }
    case 'insert': {
      const names = Object.keys(change.values);
      const holes = names.map(() => '?').join(', ');
      return `INSERT OR IGNORE INTO ${table} (${names.map(quoteIdentifier).join(', ')}) VALUES (${holes})`;
    }
  }
}

function valuesOf(change: Change): Stored[] {
  if (change.kind === 'insert') return Object.values(change.values);
  const row = change.table.identity.map((name) => change.row[name] ?? null);
  return change.kind === 'delete' ? row : [...Object.values(change.set), ...row];
}

/** Runs `work` while the database has no triggers. */
export function withoutTriggers(db: Database.Database, work: () => void): void {
  const triggers = db.prepare("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").all() as {
    name: string;
    sql: string;
  }[];
  for (const { name } of triggers) db.exec(`DROP TRIGGER ${quoteIdentifier(name)}`);
  work();
  for (const { sql } of triggers) db.exec(sql);
}
