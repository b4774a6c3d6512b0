import { statSync } from 'node:fs';
import type Database from 'better-sqlite3';
import { LRUCache } from 'lru-cache';
import { QueryError } from '../../contracts/errors.ts';
import { serveChild } from '../../services/base/sqlite/child-pool.ts';
import { openNative, prepareNative, readStored, runNative, visitsOf } from './engines.ts';
import type {
  AnyReply,
  AnyRequest,
  Costed,
  OracleAnswer,
  OracleFailure,
  OracleLimits,
  OracleRequest,
  TogetherRequest,
  WritesAnswer,
  WritesRequest,
} from './oracle.ts';
import type { WritesDatabase } from './run-writes.ts';

// SQLite's 'localtime' uses the process's time zone; UTC gives the same answer on every machine.
process.env.TZ = 'UTC';

interface Opened {
  readonly native: Database.Database;
  hasScalars: boolean;
}

/** Connections to a domain's variants and its served copy, which are queried in turn; by file and its state. */
const opened = new LRUCache<string, Opened, string>({
  max: 5,
  memoMethod: (_key, _stale, { context: file }) => ({ native: openNative(file), hasScalars: false }),
  dispose: ({ native }) => native.close(),
});

function stateOf(file: string): string {
  const { ino, size, mtimeMs } = statSync(file);
  return `${file} ${ino} ${size} ${mtimeMs}`;
}

/** Copies of a domain's variants, which are changed in turn. */
const writes = new LRUCache<string, WritesDatabase>({ max: 3, dispose: (database) => database.close() });

async function runWrites(
  request: WritesRequest,
  limits: OracleLimits,
): Promise<WritesAnswer | OracleFailure> {
  const { file, statements, referenceTime } = request;
  // The parser is loaded when it is needed: most of these processes only run queries.
  const { MOST_BYTES, WritesDatabase } = await import('./run-writes.ts');
  const { size } = statSync(file);
  if (size > MOST_BYTES)
    return {
      code: 'SQL_TOO_LARGE',
      reason: `the database has ${size} bytes, and tasks that change records may have at most ${MOST_BYTES}`,
    };
  const database = writes.get(file) ?? new WritesDatabase(file, referenceTime);
  writes.set(file, database);
  return database.run(statements, { ...request, limits });
}

/**
 * Once the statements of a message have returned more rows, or taken more milliseconds of processor time, the rest are not
 * run: a slow one among them would end the process, and the answers of the others with it.
 */
const MOST_ROWS_TOGETHER = 20_000;
const MOST_MS_TOGETHER = 300;

serveChild<AnyRequest, AnyReply>(async (request, init) => {
  const limits = init as OracleLimits;
  try {
    if ('statements' in request) return await runWrites(request, limits);
    if ('together' in request) return await runTogether(request, limits);
    if ('counted' in request) {
      const { counted, queries, maxVisits } = request;
      const native = await open(request);
      return counted === 'rows'
        ? queries.map((sql) => readStored(native, sql, maxVisits))
        : queries.map((sql) => visitsOf(native, sql, maxVisits));
    }
    return await run(request, limits);
  } catch (error) {
    if (error instanceof QueryError) return { code: error.code, reason: error.message };
    throw error;
  }
});

async function open({ file, places }: Pick<AnyRequest, 'file' | 'places'>): Promise<Database.Database> {
  const database = opened.memo(stateOf(file), { context: file });
  if (places && !database.hasScalars) {
    const { computedAnswers, registerScalars } = await import('../../services/base/scalars/workspace.ts');
    registerScalars(database.native, computedAnswers(file, places));
    database.hasScalars = true;
  }
  return database.native;
}

async function run(request: OracleRequest, limits: OracleLimits): Promise<OracleAnswer | OracleFailure> {
  const { sql, engine, reversed, prepareOnly } = request;
  const native = await open(request);
  native.exec(`PRAGMA reverse_unordered_selects = ${reversed ? 1 : 0}`);
  const statement = prepareNative(native, sql);
  if (statement instanceof Error) {
    return engine === 'native'
      ? { code: 'SQL_NOT_EXECUTABLE', reason: statement.message }
      : runRequoted(native, sql, limits);
  }
  return prepareOnly ? { columns: [], rows: [], engine: 'native' } : runNative(statement, limits);
}

async function runTogether({ together }: TogetherRequest, limits: OracleLimits): Promise<(Costed | null)[]> {
  let rows = 0;
  let sum = 0;
  let sumMs = 0;
  const made: (Costed | null)[] = [];
  for (const { least, ...request } of together) {
    if (sum > MOST_ROWS_TOGETHER || sumMs > MOST_MS_TOGETHER) break;
    if (least !== undefined && rows < least) {
      made.push(null);
      continue;
    }
    const before = process.cpuUsage();
    const answer = await run(request, limits).catch((error) => {
      if (error instanceof QueryError) return null;
      throw error;
    });
    const { user, system } = process.cpuUsage(before);
    const cpuMs = (user + system) / 1000;
    const isAnswer = answer !== null && !('code' in answer);
    made.push(isAnswer ? { answer, cpuMs } : null);
    const count = isAnswer ? answer.rows.length : 0;
    if (least === undefined) rows = count;
    sum += count;
    sumMs += cpuMs;
  }
  return made;
}

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
