import { readFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import initSqlJs, { type SqlJsConfig } from 'sql.js';
import type { Cell, Row } from '../../contracts/catalog.ts';
import { QueryError } from '../../contracts/errors.ts';
import { heapLimit, limitHeap } from '../../services/base/sqlite/driver.ts';
import {
  type OracleAnswer,
  type OracleLimits,
  type Stored,
  type StoredRequest,
  VISITED,
  type VisitsRequest,
} from './oracle.ts';

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

/** Parts of sql.js that its types omit. */
interface WasmStatement {
  step(): boolean;
  get(params: null, config: { useBigInt: true }): (string | number | bigint | Uint8Array | null)[];
  getBlob(position: number): Uint8Array;
  getString(position: number): string;
  getColumnNames(): string[];
  free(): boolean;
}

/** A whole database in memory, in a SQLite that takes `"text"` for a string where no column is called so. */
export interface WasmDatabase {
  run(sql: string, limits: OracleLimits): OracleAnswer;
  /** Carries out a PRAGMA. */
  set(pragma: string): void;
  close(): void;
}

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** Otherwise sql.js has mathematics of its own, in which `log` is the natural logarithm. Its types omit the option. */
const NATIVE_FUNCTIONS: SqlJsConfig & { readonly useOldExtensionFunctions: boolean } = {
  useOldExtensionFunctions: false,
};

/** Reads a database file into memory. */
export async function openWasm(file: string): Promise<WasmDatabase> {
  const sqlite = await initSqlJs(NATIVE_FUNCTIONS);
  const bytes = readFileSync(file);
  // A file in WAL mode was checkpointed when it was copied; in memory there is no log to look for.
  if (bytes[18] === 2) bytes.fill(1, 18, 20);
  const db = new sqlite.Database(bytes);
  db.run('PRAGMA query_only = 1');
  db.run(`PRAGMA hard_heap_limit = ${heapLimit()}`);
  return {
    run: (sql, limits) => runWasm(() => db.prepare(sql) as unknown as WasmStatement, limits),
    set: (pragma) => {
      db.run(pragma);
    },
    close: () => db.close(),
  };
}

function runWasm(prepare: () => WasmStatement, limits: OracleLimits): OracleAnswer {
  let statement: WasmStatement | undefined;
  try {
    statement = prepare();
    return {
      columns: statement.getColumnNames(),
      rows: collectRows(rawRows(statement), limits),
      engine: 'wasm',
    };
  } catch (error) {
    if (error instanceof QueryError) throw error;
    throw new QueryError('SQL_NOT_EXECUTABLE', error instanceof Error ? error.message : String(error));
  } finally {
    statement?.free();
  }
}

function* rawRows(statement: WasmStatement): Generator<unknown[]> {
  while (statement.step()) {
    // Text is decoded here: sql.js ends it at a NUL and repairs invalid UTF-8 in its own way. `get` has
    // read it as a string already, so that SQLite has converted it if the database is UTF-16.
    yield statement
      .get(null, { useBigInt: true })
      .map((value, i) => (typeof value === 'string' ? utf8.decode(statement.getBlob(i)) : value));
  }
}

/**
 * A SQLite value as a client reads it from a service's JSON: infinite reals are null, blobs are upper-case hex digits.
 */
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

/** About how many bytes of JSON a cell takes. */
export function cellBytes(cell: Cell): number {
  return typeof cell === 'string' ? cell.length + 2 : 8;
}

/** Reads rows of raw SQLite values into cells; throws SQL_TOO_LARGE at the first row beyond the limits. */
export function collectRows(raw: Iterable<readonly unknown[]>, limits: OracleLimits): Row[] {
  const rows: Row[] = [];
  let bytes = 0;
  for (const values of raw) {
    const row = values.map(toCell);
    for (const cell of row) bytes += cellBytes(cell);
    if (rows.length >= limits.maxRows) {
      throw new QueryError('SQL_TOO_LARGE', `more than ${limits.maxRows} rows`);
    }
    if (bytes > limits.maxBytes) throw new QueryError('SQL_TOO_LARGE', `more than ${limits.maxBytes} bytes`);
    rows.push(row);
  }
  return rows;
}

/** The rows of a query as SQLite stores them; null when SQLite refuses it or it visits too many rows. */
export function readStored(
  db: Database.Database,
  { storedOf, maxVisits }: Pick<StoredRequest, 'storedOf' | 'maxVisits'>,
): Stored[][] | null {
  limitVisits(db, maxVisits);
  try {
    return db.prepare<[], Stored[]>(storedOf).raw(true).safeIntegers(true).all();
  } catch (error) {
    if (error instanceof TooManyVisits || error instanceof Database.SqliteError) return null;
    throw error;
  }
}

/** How many rows a query visits, at most one more than `maxVisits`; null when SQLite refuses it. */
export function visitsOf(
  db: Database.Database,
  { visitsOf, maxVisits }: Pick<VisitsRequest, 'visitsOf' | 'maxVisits'>,
): number | null {
  const visits = limitVisits(db, maxVisits);
  try {
    for (const _ of db.prepare(visitsOf).raw(true).iterate());
    return visits();
  } catch (error) {
    if (error instanceof TooManyVisits) return visits();
    if (error instanceof Database.SqliteError) return null;
    throw error;
  }
}

/** Gives how many there have been. */
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
