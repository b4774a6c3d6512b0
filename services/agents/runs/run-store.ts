import { mkdirSync, statfsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import Database from 'better-sqlite3';
import { UserError } from '../../../contracts/errors.ts';
import type { RunAnswer, RunStatus } from '../../../contracts/run.ts';
import { writeJson } from '../../base/http/json-text.ts';
import { asStorageProblem, storageFull } from './as-storage-problem.ts';
import { overdue } from './overdue.ts';
import { type CallRecord, callRecord, type RunRecord, runRecord } from './run-records.ts';
import { RUN_SCHEMA, RUN_SCHEMA_VERSION } from './run-schema.ts';

/** Which runs are meant; all of them when nothing is given. */
export interface RunFilter {
  readonly run?: string;
  readonly batch?: string;
  readonly agent?: string;
}

/** When a run started, and with which tools. */
export interface RunStart extends Pick<RunRecord, 'tools'> {
  readonly at: number;
  readonly checksum: string;
}

/** How a run ended. */
export interface RunEnd {
  readonly at: number;
  readonly status: Exclude<RunStatus, 'open'>;
  readonly reason: string | null;
  readonly answer: RunAnswer | null;
}

/** Pages of the write-ahead log after which it is written into the file: small ones keep every pause short. */
const CHECKPOINT_PAGES = 400;
const BUSY_MS = 5000;
/** As large as a body may be. */
const ROOM_BYTES = 1024 * 1024;
const AT_A_TIME = 200;
/** Of a store in memory; what does not fit is refused, before the process is in danger. */
const MOST_MEMORY_BYTES = 1024 ** 3;
const PAGE_BYTES = 4096;

/** A call that waits to be written, and those who wait for it. */
interface Waiting {
  readonly call: CallRecord;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Runs and their calls in a SQLite file. What has been written survives the death of the process at any moment.
 * Calls that end at the same time are written in one transaction. One process writes at a time; others may read. A run whose seconds are over is read as over, whether or not
 * anybody has noticed since.
 */
export class RunStore {
  /** Absolute path; null: in memory. */
  readonly file: string | null;
  readonly #db: Database.Database;
  readonly #lock: Database.Database | null;
  readonly #statements: ReturnType<typeof prepare>;
  #isFull = false;
  #waiting: Waiting[] = [];

  /** Opens a store for writing, and makes it if need be. Throws OPTION_INVALID when it cannot, or another process has it. */
  static open(file: string): RunStore {
    const path = resolve(file);
    try {
      mkdirSync(dirname(path), { recursive: true });
      const lock = lockFor(path);
      const db = new Database(path, { timeout: BUSY_MS });
      db.pragma('auto_vacuum = incremental');
      db.pragma('journal_mode = wal');
      // A commit is in the operating system's hands before it is answered: enough for the death of the process.
      db.pragma('synchronous = normal');
      db.pragma('foreign_keys = on');
      db.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
      if (db.pragma('user_version', { simple: true }) === 0) {
        db.transaction(() => {
          db.exec(RUN_SCHEMA);
          db.pragma(`user_version = ${RUN_SCHEMA_VERSION}`);
        })();
      }
      return new RunStore(path, db, lock);
    } catch (error) {
      throw asUserError(path, error);
    }
  }

  /** A store that lives as long as the process, at most. */
  static inMemory(): RunStore {
    const db = new Database(':memory:');
    db.pragma(`page_size = ${PAGE_BYTES}`);
    db.pragma(`max_page_count = ${MOST_MEMORY_BYTES / PAGE_BYTES}`);
    db.pragma('foreign_keys = on');
    db.exec(RUN_SCHEMA);
    db.pragma(`user_version = ${RUN_SCHEMA_VERSION}`);
    return new RunStore(null, db, null);
  }

  /** Opens a store that is there for reading only. Throws OPTION_INVALID. */
  static read(file: string): RunStore {
    const path = resolve(file);
    try {
      return new RunStore(path, new Database(path, { readonly: true, timeout: BUSY_MS }), null);
    } catch (error) {
      throw asUserError(path, error);
    }
  }

  private constructor(path: string | null, db: Database.Database, lock: Database.Database | null) {
    const version = db.pragma('user_version', { simple: true });
    if (version !== RUN_SCHEMA_VERSION) {
      const fix = `was written by another version of rookery (${version}, not ${RUN_SCHEMA_VERSION}); choose another file`;
      throw new UserError('OPTION_INVALID', path ?? 'runs', fix);
    }
    this.file = path;
    this.#db = db;
    this.#lock = lock;
    this.#statements = prepare(db);
  }

  /** All of them or none. Throws STORAGE_FULL. */
  addRuns(runs: readonly RunRecord[]): void {
    const add = this.#db.transaction(() => {
      for (const run of runs) {
        this.#statements.addRun.run({
          ...run,
          settings: JSON.stringify(run.settings),
          list_options: JSON.stringify(run.list_options),
          tools: run.tools === null ? null : JSON.stringify(run.tools),
          budget: JSON.stringify(run.budget),
          faults: run.faults === null ? null : JSON.stringify(run.faults),
          answer: run.answer === null ? null : writeJson(run.answer),
          evidence: Number(run.evidence),
          answer_tool: Number(run.answer_tool),
        });
      }
    });
    this.#write(add);
  }

  has(runId: string): boolean {
    return this.#statements.has.get(runId) !== undefined;
  }

  run(runId: string): RunRecord | undefined {
    const row = this.#statements.run.get(runId);
    return row === undefined ? undefined : readRun(row);
  }

  /** In the order in which they were begun. */
  *runs({
    run = null,
    batch = null,
    agent = null,
  }: { [K in keyof RunFilter]?: string | null } = {}): IterableIterator<RunRecord> {
    // In slices, so that a run can be written in between.
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

  /** Throws STORAGE_FULL. */
  start(runId: string, { at, checksum, tools }: RunStart): void {
    const names = tools === null ? null : JSON.stringify(tools);
    this.#write(() => this.#statements.start.run({ run_id: runId, at, checksum, tools: names }));
  }

  /** Answers whether the run was open until now. Throws STORAGE_FULL. */
  end(runId: string, { at, status, reason, answer }: RunEnd): boolean {
    const text = answer === null ? null : writeJson(answer);
    const end = () => this.#statements.end.run({ run_id: runId, at, status, reason, answer: text });
    return this.#write(end).changes === 1;
  }

  /** Resolves when the call is written, together with all that wait at that moment. Rejects with STORAGE_FULL. */
  addCall(call: CallRecord): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ call, resolve, reject });
      if (this.#waiting.length === 1) setImmediate(() => this.#writeWaiting());
    });
  }

  #writeWaiting(): void {
    const group = this.#waiting;
    if (group.length === 0) return;
    this.#waiting = [];
    const writeAll = this.#db.transaction(() => {
      for (const { call } of group) this.#statements.addCall.run(call);
    });
    try {
      this.#write(writeAll);
      for (const { resolve } of group) resolve();
    } catch {
      // One call that cannot be written is no reason to refuse its neighbours.
      for (const each of group) this.#writeOne(each);
    }
  }

  #writeOne({ call, resolve, reject }: Waiting): void {
    try {
      this.#write(() => this.#statements.addCall.run(call));
      resolve();
    } catch (error) {
      reject(error);
    }
  }

  /** Throws STORAGE_FULL from when the disk refused something until it has room for the largest call again. */
  requireRoom(): void {
    if (!this.#isFull || this.file === null) return;
    const { bavail, bsize } = statfsSync(dirname(this.file));
    if (bavail * bsize < ROOM_BYTES) throw storageFull(null);
    this.#write(() => this.#db.pragma(`user_version = ${RUN_SCHEMA_VERSION}`));
  }

  /** In the order in which they came. */
  calls(runId: string): CallRecord[] {
    return this.#statements.calls.all(runId).map((row) => callRecord.parse(row));
  }

  /** The handles that a run's calls were answered with. */
  handles(runId: string): string[] {
    return this.#statements.handles.pluck().all(runId) as string[];
  }

  /** What a run has used so far: the number of its last call, and the bytes of all answers. */
  usage(runId: string): { calls: number; bytes: number } {
    return this.#statements.usage.get(runId) as { calls: number; bytes: number };
  }

  /** Bytes of what is kept, without space that is free again. */
  get bytes(): number {
    const pages = (name: string) => Number(this.#db.pragma(name, { simple: true }));
    return (pages('page_count') - pages('freelist_count')) * pages('page_size');
  }

  /**
   * Drops runs that were last heard of before `before`; then, as long as more than `maxBytes` are kept, the oldest
   * of those last heard of before `idleSince`. Answers how many.
   */
  prune(limits: { readonly before: number; readonly maxBytes: number; readonly idleSince: number }): number {
    const { dropOld } = this.#statements;
    let dropped = 0;
    const drop = (before: number) => {
      const { changes } = dropOld.run({ before, max: AT_A_TIME });
      dropped += changes;
      return changes > 0;
    };
    while (drop(limits.before));
    while (this.bytes > limits.maxBytes && drop(limits.idleSince));
    if (dropped > 0) this.#db.pragma('incremental_vacuum');
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

function readRun(row: unknown): RunRecord {
  return overdue(runRecord.parse(row), Date.now());
}

function prepare(db: Database.Database) {
  const columns = Object.keys(runRecord.shape);
  const callColumns = Object.keys(callRecord.shape);
  const insert = (table: string, names: readonly string[]) =>
    db.prepare(
      `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map((name) => `:${name}`).join(', ')})`,
    );
  return {
    addRun: insert('run', columns),
    addCall: insert('call', callColumns),
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
    dropOld: db.prepare(`
      DELETE FROM run WHERE seq IN (
        SELECT seq FROM run
        WHERE coalesce(
          ended_at, (SELECT max(at) FROM call WHERE call.run_id = run.run_id), started_at, created_at
        ) < :before
        ORDER BY seq LIMIT :max)`),
  };
}

/** Held as long as the store is open, and let go by the operating system when the process dies. */
function lockFor(path: string): Database.Database {
  const lock = new Database(`${path}-writer`, { timeout: 0 });
  try {
    lock.pragma('journal_mode = memory');
    lock.exec('BEGIN EXCLUSIVE');
    return lock;
  } catch (cause) {
    lock.close();
    throw new UserError('OPTION_INVALID', path, 'another server writes its runs there; choose another file', {
      cause,
    });
  }
}

function asUserError(path: string, error: unknown): unknown {
  if (error instanceof UserError) return error;
  const { message } = error as Error;
  return new UserError(
    'OPTION_INVALID',
    path,
    `runs cannot be kept there (${message}); choose another file`,
    {
      cause: error,
    },
  );
}
