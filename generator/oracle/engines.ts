import { chmodSync, constants, copyFileSync, readFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import type { Cell, Row } from '../../contracts/catalog.ts';
import { QueryError } from '../../contracts/errors.ts';
import type { OracleAnswer, OracleLimits, Stored } from './oracle.ts';

/** Counts the rows that a query visits; always true. */
export const VISITED = 'rookery_visited';

type NativeStatement = Database.Statement<unknown[], unknown[]>;

export function openNative(file: string): Database.Database {
  const db = new Database(file, { readonly: true, fileMustExist: true });
  db.pragma('mmap_size = 268435456');
  return db;
}

/** What `read` makes of a database, which is open meanwhile. */
export function withDatabase<T>(file: string, read: (db: Database.Database) => T): T {
  const db = new Database(file, { readonly: true, fileMustExist: true });
  try {
    return read(db);
  } finally {
    db.close();
  }
}

/** Copies a database, which may be read-only, to a file that may be changed. */
export function copyWritable(file: string, target: string): void {
  copyFileSync(file, target, constants.COPYFILE_FICLONE);
  chmodSync(target, 0o600);
}

/** Opens a copy to change it quickly; a crash may damage it. */
export function openUnsafely(file: string): Database.Database {
  const db = new Database(file, { fileMustExist: true });
  db.pragma('journal_mode = MEMORY');
  db.pragma('synchronous = OFF');
  return db;
}

interface StoredTable {
  readonly name: string;
  readonly columns: readonly {
    readonly name: string;
    readonly notnull: number;
    readonly pk: number;
    readonly hidden: number;
  }[];
  /** Columns that identify a row: a visible alias of the row id, or the primary key. */
  readonly identity: readonly string[];
}

/** Ordinary tables by name, without views, virtual tables and their shadows. */
export function storedTables(db: Database.Database): StoredTable[] {
  const tables = db.prepare(
    "SELECT name, wr FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name",
  );
  const info = db.prepare(`SELECT name, "notnull", pk, hidden FROM pragma_table_xinfo(?, 'main')`);
  return (tables.all() as { name: string; wr: number }[]).map(({ name, wr }) => {
    const columns = info.all(name) as StoredTable['columns'];
    const taken = columns.map((column) => column.name.toLowerCase());
    const key = columns.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
    const rowid = ['rowid', '_rowid_', 'oid'].find((alias) => !taken.includes(alias));
    const identity = wr === 1 || rowid === undefined ? key.map((column) => column.name) : [rowid];
    return { name, columns, identity };
  });
}

/** All rows as SQLite stores them, by position. */
export function storedRows(db: Database.Database, sql: string): Stored[][] {
  return db.prepare<[], Stored[]>(sql).raw(true).safeIntegers(true).all();
}

/** A database as bytes. The copy of a WAL file was checkpointed; in memory there is no log to look for. */
export function readImage(file: string): Buffer {
  const bytes = readFileSync(file);
  if (bytes[18] === 2) bytes.fill(1, 18, 20);
  return bytes;
}

/** The prepared statement, or SQLite's error. */
export function prepareNative(db: Database.Database, sql: string): NativeStatement | Error {
  try {
    const statement = db.prepare<unknown[], unknown[]>(sql);
    if (!statement.reader) throw new QueryError('SQL_NOT_EXECUTABLE', 'the statement is not a query');
    return statement.raw(true).safeIntegers(true);
  } catch (error) {
    // better-sqlite3 itself throws a RangeError for none or several statements.
    if (error instanceof RangeError) throw new QueryError('SQL_NOT_EXECUTABLE', error.message);
    if (error instanceof Database.SqliteError) return error;
    throw error;
  }
}

/** Errors while the statement runs become SQL_NOT_EXECUTABLE. */
export function runNative(statement: NativeStatement, limits: OracleLimits): OracleAnswer {
  const columns = statement.columns().map(({ name }) => name);
  try {
    return { columns, rows: collectRows(statement.iterate(), limits), engine: 'native' };
  } catch (error) {
    if (error instanceof Database.SqliteError) throw new QueryError('SQL_NOT_EXECUTABLE', error.message);
    throw error;
  }
}

/** A value as in a service's JSON: infinite reals are null, blobs are upper-case hex digits. */
export function toCell(value: unknown): Cell {
  switch (typeof value) {
    case 'bigint':
      return Number.isSafeInteger(Number(value)) ? Number(value) : value;
    case 'number':
      return Number.isFinite(value) ? value : null;
    case 'string':
      return value;
    default:
      if (value === null || value === undefined) return null;
      if (value instanceof Uint8Array) return Buffer.from(value).toString('hex').toUpperCase();
      throw new TypeError(`SQLite gave a ${typeof value}`);
  }
}

/** Throws SQL_TOO_LARGE at the first row beyond the limits. */
function collectRows(raw: Iterable<readonly unknown[]>, limits: OracleLimits): Row[] {
  const rows: Row[] = [];
  let bytes = 0;
  for (const values of raw) {
    const row = values.map(toCell);
    for (const cell of row) bytes += typeof cell === 'string' ? cell.length + 2 : 8;
    if (rows.length >= limits.maxRows) {
      throw new QueryError('SQL_TOO_LARGE', `more than ${limits.maxRows} rows`);
    }
    if (bytes > limits.maxBytes) throw new QueryError('SQL_TOO_LARGE', `more than ${limits.maxBytes} bytes`);
    rows.push(row);
  }
  return rows;
}

/** The rows as SQLite stores them; null when SQLite refuses the query or it visits too many rows. */
export function readStored(db: Database.Database, sql: string, maxVisits: number): Stored[][] | null {
  limitVisits(db, maxVisits);
  try {
    return storedRows(db, sql);
  } catch (error) {
    if (error instanceof TooManyVisits || error instanceof Database.SqliteError) return null;
    throw error;
  }
}

/** Rows that a query visits, at most `maxVisits` + 1; null when SQLite refuses it. */
export function visitsOf(db: Database.Database, sql: string, maxVisits: number): number | null {
  const visits = limitVisits(db, maxVisits);
  try {
    for (const _ of db.prepare(sql).raw(true).iterate());
    return visits();
  } catch (error) {
    if (error instanceof TooManyVisits) return visits();
    if (error instanceof Database.SqliteError) return null;
    throw error;
  }
}

/** Makes `VISITED` throw after `maxVisits` calls; returns a function that counts them. */
function limitVisits(db: Database.Database, maxVisits: number): () => number {
  let visits = 0;
  db.function(VISITED, { varargs: true, deterministic: true }, () => {
    visits++;
    if (visits > maxVisits) throw new TooManyVisits();
    return 1;
  });
  return () => visits;
}

class TooManyVisits extends Error {}
