import { statSync } from 'node:fs';
import type Database from 'better-sqlite3';
import { LRUCache } from 'lru-cache';
import { QueryError } from '../../contracts/errors.ts';
import { computedValues, registerScalars } from '../../services/base/scalars/workspace.ts';
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
import { requote } from './gold-sql.ts';
import {
  type AnyReply,
  type AnyRequest,
  type Costed,
  type OracleAnswer,
  type OracleFailure,
  type OracleLimits,
  type OracleRequest,
  type TogetherRequest,
  unlessRefused,
  type WritesRequest,
} from './oracle.ts';
import { MOST_BYTES, WritesDatabase } from './run-writes.ts';

// SQLite's 'localtime' uses the process's time zone; UTC gives the same answer on every machine.
process.env.TZ = 'UTC';

/** Larger databases are not loaded into memory, which happens whenever the file changes. */
const MAX_BYTES_IN_MEMORY = 64 * 1024 * 1024;

interface Opened {
  readonly native: Database.Database;
  hasScalars: boolean;
}

/** Those of a domain's variants and its served copy, which are asked in turn; by file and its state. */
const opened = new LRUCache<string, Opened, string>({
  max: 5,
  memoMethod: (_key, _stale, { context: file }) => ({ native: openNative(file), hasScalars: false }),
  dispose: ({ native }) => native.close(),
});

function stateOf(file: string): string {
  const { ino, size, mtimeMs } = statSync(file);
  return `${file} ${ino} ${size} ${mtimeMs}`;
}

/** Only the last one is kept, since it is a copy in memory. */
let wasm: { readonly state: string; readonly database: WasmDatabase } | null = null;

async function openedInMemory(file: string): Promise<WasmDatabase> {
  const state = stateOf(file);
  if (wasm?.state !== state) {
    wasm?.database.close();
    wasm = null;
    wasm = { state, database: await openWasm(file) };
  }
  return wasm.database;
}

/** Those of a domain's variants, which are asked in turn. */
const writes = new LRUCache<string, WritesDatabase, WritesRequest>({
  max: 3,
  memoMethod: (file, _stale, { context: { referenceTime } }) => new WritesDatabase(file, referenceTime),
  dispose: (database) => database.close(),
});

/** Rows of several statements, after which the others are not run. */
const MOST_ROWS_TOGETHER = 20_000;

serveChild<AnyRequest, AnyReply>(async (request, init) => {
  const limits = init as OracleLimits;
  const { file } = request;
  try {
    if ('statements' in request) {
      const { size } = statSync(file);
      if (size > MOST_BYTES) return { code: 'SQL_TOO_LARGE', reason: `the database has ${size} bytes` };
      return writes.memo(file, { context: request }).run(request.statements, { ...request, limits });
    }
    if ('together' in request) return await runTogether(request, limits);
    if ('storedOf' in request)
      return request.storedOf.map((storedOf) => readStored(open(request), { ...request, storedOf }));
    if ('visitsOf' in request)
      return request.visitsOf.map((query) => visitsOf(open(request), { ...request, visitsOf: query }));
    return await run(request, limits);
  } catch (error) {
    if (error instanceof QueryError) return { code: error.code, reason: error.message };
    throw error;
  }
});

function open({ file, places }: Pick<AnyRequest, 'file' | 'places'>): Database.Database {
  const database = opened.memo(stateOf(file), { context: file });
  if (places && !database.hasScalars) {
    registerScalars(database.native, computedValues(file, places));
    database.hasScalars = true;
  }
  return database.native;
}

async function run(request: OracleRequest, limits: OracleLimits): Promise<OracleAnswer | OracleFailure> {
  const { file, sql, engine, reversed, prepareOnly } = request;
  const order = `PRAGMA reverse_unordered_selects = ${reversed ? 1 : 0}`;
  if (engine !== 'wasm') {
    const native = open(request);
    native.exec(order);
    const statement = prepareNative(native, sql);
    if (!(statement instanceof Error))
      return prepareOnly ? { columns: [], rows: [], engine: 'native' } : runNative(statement, limits);
    if (engine === 'native') return { code: 'SQL_NOT_EXECUTABLE', reason: statement.message };
    if (engine === 'requoted' || request.places || statSync(file).size > MAX_BYTES_IN_MEMORY) {
      return runRequoted(native, sql, limits);
    }
  }
  const inMemory = await openedInMemory(file);
  inMemory.set(order);
  return inMemory.run(sql, limits);
}

async function runTogether({ together }: TogetherRequest, limits: OracleLimits): Promise<(Costed | null)[]> {
  let rows = 0;
  let sum = 0;
  const made: (Costed | null)[] = [];
  for (const { least, ...request } of together) {
    if (sum > MOST_ROWS_TOGETHER) break;
    if (least !== undefined && rows < least) {
      made.push(null);
      continue;
    }
    const before = process.cpuUsage();
    const answer = await unlessRefused(run(request, limits));
    const { user, system } = process.cpuUsage(before);
    const isAnswer = answer !== null && !('code' in answer);
    made.push(isAnswer ? { answer, cpuMs: (user + system) / 1000 } : null);
    const count = isAnswer ? answer.rows.length : 0;
    if (least === undefined) rows = count;
    sum += count;
  }
  return made;
}

function runRequoted(db: Database.Database, sql: string, limits: OracleLimits): OracleAnswer | OracleFailure {
  const errorOf = (text: string) => {
    const prepared = prepareNative(db, text);
    return prepared instanceof Error ? prepared.message : null;
  };
  const statement = prepareNative(db, requote(sql, errorOf));
  if (statement instanceof Error) return { code: 'SQL_NOT_EXECUTABLE', reason: statement.message };
  return { ...runNative(statement, limits), engine: 'requoted' };
}
