import { statSync } from 'node:fs';
import type Database from 'better-sqlite3';
import { LRUCache } from 'lru-cache';
import { QueryError } from '../../contracts/errors.ts';
import { serveChild } from '../../services/base/sqlite/child-pool.ts';
import {
  openNative,
  openWasm,
  prepareNative,
  readStored,
  runNative,
  visitsOf,
  type WasmDatabase,
} from './engines.ts';
import type {
  OracleAnswer,
  OracleFailure,
  OracleLimits,
  OracleRequest,
  Stored,
  StoredRequest,
  VisitsRequest,
  WritesAnswer,
  WritesRequest,
} from './oracle.ts';
import type { WritesDatabase } from './run-writes.ts';

// SQLite's 'localtime' uses the process's time zone; UTC gives the same answer on every machine.
process.env.TZ = 'UTC';

/** Larger databases are not loaded into memory, which happens whenever the file changes. */
const MAX_BYTES_IN_MEMORY = 64 * 1024 * 1024;

/** The most recently used file, kept open for the next request. */
let last: {
  file: string;
  native: Database.Database;
  wasm: WasmDatabase | null;
  hasScalars: boolean;
} | null = null;

/** Those of a domain's variants, which are asked in turn. */
const writes = new LRUCache<string, WritesDatabase, () => WritesDatabase>({
  max: 3,
  memoMethod: (_file, _stale, { context: open }) => open(),
  dispose: (database) => database.close(),
});

serveChild<
  OracleRequest | StoredRequest | VisitsRequest | WritesRequest,
  OracleAnswer | OracleFailure | Stored[][] | WritesAnswer | number | null
>(async (request, init) => {
  const limits = init as OracleLimits;
  const { file } = request;
  try {
    // Few requests need the SQL front end or the scalar APIs, and a child without them starts twice as fast.
    if ('statements' in request) {
      const { MOST_BYTES, WritesDatabase } = await import('./run-writes.ts');
      const { size } = statSync(file);
      if (size > MOST_BYTES) return { code: 'SQL_TOO_LARGE', reason: `the database has ${size} bytes` };
      const database = writes.memo(file, { context: () => new WritesDatabase(file, request.referenceTime) });
      return database.run(request.statements, { ...request, limits });
    }
    if (last?.file !== file) {
      last?.native.close();
      last?.wasm?.close();
      last = null;
      last = { file, native: openNative(file), wasm: null, hasScalars: false };
    }
    if (request.places && !last.hasScalars) {
      const { computedValues, registerScalars } = await import('../../services/base/scalars/workspace.ts');
      registerScalars(last.native, computedValues(file, request.places));
      last.hasScalars = true;
    }
    if ('storedOf' in request) return readStored(last.native, request);
    if ('visitsOf' in request) return visitsOf(last.native, request);
    const { sql, engine, reversed } = request;
    const order = `PRAGMA reverse_unordered_selects = ${reversed ? 1 : 0}`;
    if (engine !== 'wasm') {
      last.native.exec(order);
      const statement = prepareNative(last.native, sql);
      if (!(statement instanceof Error)) return runNative(statement, limits);
      if (engine === 'native') return { code: 'SQL_NOT_EXECUTABLE', reason: statement.message };
      if (engine === 'requoted' || request.places || statSync(file).size > MAX_BYTES_IN_MEMORY) {
        return await runRequoted(last.native, sql, limits);
      }
    }
    last.wasm ??= await openWasm(file);
    last.wasm.set(order);
    return last.wasm.run(sql, limits);
  } catch (error) {
    if (error instanceof QueryError) return { code: error.code, reason: error.message };
    throw error;
  }
});

async function runRequoted(
  db: Database.Database,
  sql: string,
  limits: OracleLimits,
): Promise<OracleAnswer | OracleFailure> {
  const { requote } = await import('./gold-sql.ts');
  const errorOf = (text: string) => {
    const prepared = prepareNative(db, text);
    return prepared instanceof Error ? prepared.message : null;
  };
  const statement = prepareNative(db, requote(sql, errorOf));
  if (statement instanceof Error) return { code: 'SQL_NOT_EXECUTABLE', reason: statement.message };
  return { ...runNative(statement, limits), engine: 'requoted' };
}
