import { readFileSync } from 'node:fs';
import initSqlJs, { type SqlJsConfig } from 'sql.js';
import { QueryError } from '../../contracts/errors.ts';
import { heapLimit } from '../../services/base/sqlite/limit-heap.ts';
import { collectRows } from './collect-rows.ts';
import type { OracleAnswer, OracleLimits } from './messages.ts';

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
