import Database from 'better-sqlite3';
import { QueryError } from '../../contracts/errors.ts';
import { limitHeap } from '../../services/base/sqlite/limit-heap.ts';
import { collectRows } from './collect-rows.ts';
import type { OracleAnswer, OracleLimits } from './messages.ts';

/** A SELECT that better-sqlite3 accepts as given. */
export type NativeStatement = Database.Statement<unknown[], unknown[]>;

/** Opens a database file to read from. */
export function openNative(file: string): Database.Database {
  const db = new Database(file, { readonly: true, fileMustExist: true });
  limitHeap(db);
  db.pragma('mmap_size = 268435456');
  return db;
}

/** The statement, or the reason why this SQLite does not prepare the text. */
export function prepareNative(db: Database.Database, sql: string): NativeStatement | Error {
  try {
    const statement = db.prepare<unknown[], unknown[]>(sql);
    if (!statement.reader) throw new QueryError('SQL_NOT_EXECUTABLE', 'the statement is not a query');
    return statement.raw(true).safeIntegers(true);
  } catch (error) {
    // better-sqlite3's own errors are final: no statement, or several.
    if (error instanceof RangeError) throw new QueryError('SQL_NOT_EXECUTABLE', error.message);
    if (error instanceof Database.SqliteError) return error;
    throw error;
  }
}

/** The statement's rows; errors while it runs become SQL_NOT_EXECUTABLE. */
export function runNative(statement: NativeStatement, limits: OracleLimits): OracleAnswer {
  const columns = statement.columns().map(({ name }) => name);
  try {
    return { columns, rows: collectRows(statement.iterate(), limits), engine: 'native' };
  } catch (error) {
    if (error instanceof Database.SqliteError) throw new QueryError('SQL_NOT_EXECUTABLE', error.message);
    throw error;
  }
}
