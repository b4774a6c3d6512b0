import { statfsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { UserError } from '../../../contracts/errors.ts';
import { makeFolder } from '../../../contracts/make-folder.ts';
import { writeJson } from '../../base/http/json.ts';
import {
  type CallRecord,
  callRecord,
  type OpenRuns,
  type PruneBounds,
  type RunEnd,
  type RunFilter,
  type RunRecord,
  type RunStart,
  type RunStore,
  type RunUsage,
  readRun,
  runRecord,
  runRow,
  STUCK_AFTER_MS,
  STUCK_UNTIL_MS,
  storageFull,
} from './run-store.ts';

/** Pages of the write-ahead log between checkpoints: small batches keep every pause short. */
const CHECKPOINT_PAGES = 400;
const BUSY_MS = 5000;
/** The largest body. */
const ROOM_BYTES = 1024 * 1024;
const AT_A_TIME = 200;
/** Free pages returned to the operating system per pruning step; the rest is reused. */
const VACUUMED_PAGES = 2000;
/** Limit of an in-memory store; writes beyond it are rejected before the process runs out of memory. */
const MOST_MEMORY_BYTES = 1024 ** 3;
const PAGE_BYTES = 4096;

interface Waiting {
  readonly write: () => unknown;
  readonly resolve: (result: never) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Runs and their calls in a SQLite file. Committed writes survive the death of the process. Writes pending at the same
 * time share a transaction. One process writes; others may read.
 */
export class SqliteRuns implements RunStore {
  readonly isShared = false;
  /** Absolute path; null: in memory. */
  readonly file: string | null;
  readonly #db: Database.Database;
  readonly #lock: Database.Database | null;
  readonly #statements: ReturnType<typeof prepare>;
  readonly #together: (group: readonly Pick<Waiting, 'write'>[]) => unknown[];
  #isFull = false;
  #waiting: Waiting[] = [];

  /** Opens a store for writing, creating it if needed. Throws OPTION_INVALID, also when another process has it open. */
  static open(file: string): SqliteRuns {
    const path = resolve(file);
    try {
      makeFolder(dirname(path));
      const lock = lockFor(path);
      const db = new Database(path, { timeout: BUSY_MS });
      db.pragma('auto_vacuum = incremental');
      db.pragma('journal_mode = wal');
      // Commits reach the operating system before they are acknowledged, which suffices to survive the process.
      db.pragma('synchronous = normal');
      db.pragma('foreign_keys = on');
      db.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
      const changes = UPGRADES.get(Number(db.pragma('user_version', { simple: true })));
      if (changes !== undefined)
        db.transaction(() => {
          db.exec(changes);
          db.pragma(`user_version = ${RUN_SCHEMA_VERSION}`);
        })();
      // Older files lack the indexes; readers work without them.
      db.exec(INDEXES);
      return new SqliteRuns(path, db, lock);
    } catch (error) {
      throw asUserError(path, error);
    }
  }

  /** A store that lives no longer than the process. */
  static inMemory(): SqliteRuns {
    const db = new Database(':memory:');
    db.pragma(`page_size = ${PAGE_BYTES}`);
    db.pragma(`max_page_count = ${MOST_MEMORY_BYTES / PAGE_BYTES}`);
    db.pragma('foreign_keys = on');
    db.exec(RUN_SCHEMA);
    db.exec(INDEXES);
    db.pragma(`user_version = ${RUN_SCHEMA_VERSION}`);
    return new SqliteRuns(null, db, null);
  }

  /** Opens an existing store for reading. Throws OPTION_INVALID. */
  static read(file: string): SqliteRuns {
    const path = resolve(file);
    try {
      return new SqliteRuns(path, new Database(path, { readonly: true, timeout: BUSY_MS }), null);
    } catch (error) {
      throw asUserError(path, error);
    }
  }

  private constructor(path: string | null, db: Database.Database, lock: Database.Database | null) {
    const version = db.pragma('user_version', { simple: true });
    // An older file can be read as it is.
    const isReadable = version === VERSION_WITHOUT_WRITES && db.readonly;
    if (version !== RUN_SCHEMA_VERSION && !isReadable) {
      const fix = `was written by another version of rookery (${version}, not ${RUN_SCHEMA_VERSION}); choose another file`;
      throw new UserError('OPTION_INVALID', path ?? 'runs', fix);
    }
    this.file = path;
    this.#db = db;
    this.#lock = lock;
    this.#statements = prepare(db);
    this.#together = db.transaction((group: readonly Pick<Waiting, 'write'>[]) =>
      group.map(({ write }) => write()),
    );
  }

  addRuns(runs: readonly RunRecord[]): Promise<void> {
    return this.#inGroup(() => {
      for (const run of runs) this.#statements.addRun.run(runRow(run));
    });
  }

  has(runId: string): boolean {
    return this.#statements.has.get(runId) !== undefined;
  }

  run(runId: string): RunRecord | undefined {
    const row = this.#statements.run.get(runId);
    return row === undefined ? undefined : readRun(row);
  }

  *runs({
    run = null,
    batch = null,
    agent = null,
  }: { [K in keyof RunFilter]?: string | null } = {}): IterableIterator<RunRecord> {
    // In slices, so that runs can be written in between.
    let after = 0;
    for (;;) {
      const rows = this.#statements.runs.all({ run, batch, agent, after, max: AT_A_TIME }) as {
        seq: number;
      }[];
      yield* rows.map(readRun);
      const last = rows.at(-1);
      if (!last || rows.length < AT_A_TIME) return;
      after = last.seq;
    }
  }

  start(runId: string, { at, checksum, tools }: RunStart): Promise<boolean> {
    const names = tools === null ? null : JSON.stringify(tools);
    return this.#inGroup(
      () => this.#statements.start.run({ run_id: runId, at, checksum, tools: names }).changes === 1,
    );
  }

  end(runId: string, { at, status, reason, answer }: RunEnd): Promise<boolean> {
    const text = answer === null ? null : writeJson(answer);
    return this.#inGroup(
      () => this.#statements.end.run({ run_id: runId, at, status, reason, answer: text }).changes === 1,
    );
  }

  addCall(call: CallRecord): Promise<boolean> {
    return this.#inGroup(() => this.#statements.addCall.run(call).changes === 1);
  }

  #inGroup<Result>(write: () => Result): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ write, resolve, reject });
      if (this.#waiting.length === 1) globalThis.setImmediate(() => this.#writeWaiting());
    });
  }

  #writeWaiting(): void {
    const group = this.#waiting;
    if (group.length === 0) return;
    this.#waiting = [];
    try {
      const results = this.#write(() => this.#together(group));
      for (const [i, { resolve }] of group.entries()) resolve(results[i] as never);
    } catch {
      // A failed write must not fail its neighbours.
      for (const each of group) this.#writeOne(each);
    }
  }

  #writeOne(one: Waiting): void {
    try {
      const [result] = this.#write(() => this.#together([one]));
      one.resolve(result as never);
    } catch (error) {
      one.reject(error);
    }
  }

  /** The room needed is that of the largest call. */
  requireRoom(): void {
    if (!this.#isFull || this.file === null) return;
    const { bavail, bsize } = statfsSync(dirname(this.file));
    if (bavail * bsize < ROOM_BYTES) throw storageFull(null);
    this.#write(() => this.#db.pragma(`user_version = ${RUN_SCHEMA_VERSION}`));
  }

  calls(runId: string): CallRecord[] {
    return this.#statements.calls.all(runId).map((row) => callRecord.parse(row));
  }

  handles(runId: string): string[] {
    return this.#statements.handles.pluck().all(runId) as string[];
  }

  usage(runId: string): RunUsage {
    return this.#statements.usage.get(runId) as RunUsage;
  }

  bytes(): number {
    const pages = (name: string) => Number(this.#db.pragma(name, { simple: true }));
    return (pages('page_count') - pages('freelist_count')) * pages('page_size');
  }

  open(now: number): OpenRuns {
    const times = { now, after: now - STUCK_AFTER_MS, until: now - STUCK_UNTIL_MS };
    return this.#statements.open.get(times) as OpenRuns;
  }

  /** In short steps, so that other work can run in between. */
  async prune(limits: PruneBounds): Promise<number> {
    const { dropOld } = this.#statements;
    let dropped = 0;
    const drop = async (before: number) => {
      await setImmediate();
      if (!this.#db.open) return false;
      const { changes } = dropOld.run({ before, max: AT_A_TIME });
      if (changes > 0) this.#db.pragma(`incremental_vacuum(${VACUUMED_PAGES})`);
      dropped += changes;
      return changes > 0;
    };
    while (await drop(limits.before));
    while (this.#db.open && this.bytes() > limits.maxBytes && (await drop(limits.idleSince)));
    return dropped;
  }

  #write<Result>(write: () => Result): Result {
    try {
      const result = write();
      this.#isFull = false;
      return result;
    } catch (error) {
      const problem = asStorageProblem(error);
      this.#isFull = problem !== error;
      throw problem;
    }
  }

  close(): void {
    this.#writeWaiting();
    this.#db.close();
    this.#lock?.close();
  }
}

function prepare(db: Database.Database) {
  // Those that an older file, which is only read, has too.
  const present = (table: string, shape: object) => {
    const names = db.prepare('SELECT name FROM pragma_table_info(?)').pluck().all(table);
    return Object.keys(shape).filter((name) => names.includes(name));
  };
  const columns = present('run', runRecord.shape);
  const callColumns = present('call', callRecord.shape);
  const insert = (table: string, names: readonly string[]) =>
    db.prepare(
      `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map((name) => `:${name}`).join(', ')})`,
    );
  return {
    addRun: insert('run', columns),
    addCall: db.prepare(`${insert('call', callColumns).source} ON CONFLICT (run_id, n) DO NOTHING`),
    has: db.prepare('SELECT 1 FROM run WHERE run_id = ?'),
    run: db.prepare('SELECT * FROM run WHERE run_id = ?'),
    runs: db.prepare(`
      SELECT * FROM run
      WHERE (:run IS NULL OR run_id = :run) AND (:batch IS NULL OR batch_id = :batch)
        AND (:agent IS NULL OR agent = :agent) AND seq > :after
      ORDER BY seq LIMIT :max`),
    start: db.prepare(`
      UPDATE run SET started_at = :at, checksum = :checksum, tools = :tools
      WHERE run_id = :run_id AND started_at IS NULL`),
    end: db.prepare(`
      UPDATE run SET ended_at = :at, status = :status, end_reason = :reason, answer = :answer
      WHERE run_id = :run_id AND status = 'open'`),
    calls: db.prepare('SELECT * FROM call WHERE run_id = ? ORDER BY n'),
    handles: db.prepare('SELECT DISTINCT handle FROM call WHERE run_id = ? AND handle IS NOT NULL'),
    usage: db.prepare(
      'SELECT coalesce(max(n), 0) AS calls, coalesce(sum(bytes), 0) AS bytes FROM call WHERE run_id = ?',
    ),
    open: db.prepare(`
      SELECT count(*) AS open, coalesce(sum(
        started_at < :after AND coalesce(
          (SELECT at FROM call WHERE call.run_id = run.run_id ORDER BY n DESC LIMIT 1), started_at
        ) BETWEEN :until AND :after), 0) AS stuck
      FROM run
      WHERE status = 'open' AND coalesce(started_at + 1000 * (budget ->> '$.seconds') > :now, TRUE)`),
    dropOld: db.prepare(`
      DELETE FROM run WHERE seq IN (
        SELECT seq FROM run
        WHERE created_at < :before AND coalesce(
          ended_at,
          (SELECT at FROM call WHERE call.run_id = run.run_id ORDER BY n DESC LIMIT 1),
          started_at,
          created_at
        ) < :before
        ORDER BY created_at, seq LIMIT :max)`),
  };
}

/** A lock held while the store is open; the operating system releases it when the process dies. */
function lockFor(path: string): Database.Database {
  const lock = new Database(`${path}-writer`, { timeout: 0 });
  try {
    lock.pragma('journal_mode = memory');
    lock.exec('BEGIN EXCLUSIVE');
    return lock;
  } catch (cause) {
    lock.close();
    throw new UserError(
      'OPTION_INVALID',
      path,
      'another server writes its runs there; stop it, or name another file: --runs <file>',
      { cause },
    );
  }
}

function asUserError(path: string, error: unknown): unknown {
  if (error instanceof UserError) return error;
  const { message } = error as Error;
  return new UserError(
    'OPTION_INVALID',
    path,
    `runs cannot be kept there (${message}); choose another file`,
    { cause: error },
  );
}

/** Version of the tables below; files with another version are refused. */
export const RUN_SCHEMA_VERSION = 4;
/** Runs could not change records yet. */
const VERSION_WITHOUT_WRITES = 3;
const WRITES_COLUMNS = `
  ALTER TABLE run ADD COLUMN writes INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE call ADD COLUMN changes TEXT;
  ALTER TABLE call ADD COLUMN idempotency TEXT;
`;

/** Every metrics scrape counts open runs; pruning looks for old ones, first at the start. */
export const INDEXES = `
  CREATE INDEX IF NOT EXISTS run_open ON run (started_at, run_id, budget) WHERE status = 'open';
  CREATE INDEX IF NOT EXISTS run_created ON run (created_at);
`;

/** The tables of a run store. Times are milliseconds since 1970; JSON is text. */
export const RUN_SCHEMA = `
  CREATE TABLE run (
    /* The order in which runs were begun. */
    seq INTEGER PRIMARY KEY,
    run_id TEXT NOT NULL UNIQUE,
    batch_id TEXT,
    sample_id TEXT NOT NULL,
    agent TEXT NOT NULL,
    model TEXT,
    settings TEXT NOT NULL,
    list_options TEXT NOT NULL,
    /* Of the list of tools; NULL until the run starts. */
    checksum TEXT,
    /* Real names of the tools offered when they are not the whole toolset, else NULL. */
    tools TEXT,
    budget TEXT NOT NULL,
    faults TEXT,
    evidence INTEGER NOT NULL,
    answer_tool INTEGER NOT NULL,
    farm_hash TEXT NOT NULL,
    /* Of the names and orders of an exam, else NULL. */
    exam_key TEXT,
    created_at INTEGER NOT NULL,
    started_at INTEGER,
    ended_at INTEGER,
    status TEXT NOT NULL,
    end_reason TEXT,
    answer TEXT,
    writes INTEGER NOT NULL DEFAULT 0
  );
  CREATE INDEX run_batch ON run (batch_id);
  CREATE TABLE call (
    run_id TEXT NOT NULL REFERENCES run (run_id) ON DELETE CASCADE,
    n INTEGER NOT NULL,
    at INTEGER NOT NULL,
    /* As the agent knows the tool and its arguments. */
    tool TEXT NOT NULL,
    arguments TEXT NOT NULL,
    /* As the service knows them; NULL when it does not. */
    real_tool TEXT,
    real_arguments TEXT,
    status INTEGER NOT NULL,
    code TEXT,
    row_count INTEGER,
    bytes INTEGER NOT NULL,
    latency_ms REAL NOT NULL,
    fault TEXT,
    handle TEXT,
    changes TEXT,
    idempotency TEXT,
    PRIMARY KEY (run_id, n)
  ) WITHOUT ROWID;
`;

const UPGRADES: ReadonlyMap<number, string> = new Map([
  [0, RUN_SCHEMA],
  [VERSION_WITHOUT_WRITES, WRITES_COLUMNS],
]);

/** SQLite's codes for a full or failing disk, or a full memory limit. */
const FULL = /^SQLITE_(?:FULL|IOERR)/;

/** Maps an error of a write: STORAGE_FULL when there is no room or the disk fails, else the error itself. */
export function asStorageProblem(error: unknown): unknown {
  return error instanceof Database.SqliteError && FULL.test(error.code) ? storageFull(error) : error;
}
