import { hostname } from 'node:os';
import postgres, { type Options, type Sql } from 'postgres';
import { OptionError, UserError } from '../../contracts/errors.ts';
import { packageVersion } from '../../contracts/package-root.ts';
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
  type RunsUse,
  type RunUsage,
  readRun,
  runRow,
  STUCK_AFTER_MS,
  STUCK_UNTIL_MS,
  type StoreLog,
  shownPlace,
  storageFull,
} from '../../services/agents/runs/run-store.ts';
import { writeJson } from '../../services/base/http/json.ts';
import { HttpProblem } from '../../services/base/http/problem.ts';
import {
  FIRST_SCHEMA,
  MIGRATIONS,
  POSTGRES_SCHEMA_VERSION,
  PRUNE,
  READS,
  WRITES,
  type Write,
} from './schema.ts';

const AT_A_TIME = 200;
const CONNECTIONS = 8;
/** PostgreSQL's error code for a full disk. */
const DISK_FULL = '53100';
/** The largest sequence number of a run. */
const LAST = '9223372036854775807';

/**
 * Runs and their calls in a PostgreSQL database, which any number of processes may share. Everything written is
 * committed. If two processes use the same number for a call of a run, the second gets an error.
 */
export class PostgresRuns implements RunStore {
  readonly isShared = true;
  readonly #sql: Sql;
  readonly #presence: Presence;
  readonly #writer: GroupWriter;

  /** Connects to the database for the given use. Rejects with OPTION_INVALID. */
  static async open(address: string, use: RunsUse = 'serve', log?: StoreLog): Promise<PostgresRuns> {
    try {
      const presence = await Presence.take(address, use, log);
      return new PostgresRuns(postgres(address, { ...CONNECTION, max: CONNECTIONS }), presence);
    } catch (error) {
      if (error instanceof UserError) throw error;
      const fix = `runs cannot be kept there (${describe(error)}); choose another place`;
      throw new OptionError(shownPlace(address), fix, { cause: error });
    }
  }

  private constructor(sql: Sql, presence: Presence) {
    this.#sql = sql;
    this.#presence = presence;
    this.#writer = new GroupWriter((write, rows) => this.#write(write, rows));
  }

  async addRuns(runs: readonly RunRecord[]): Promise<void> {
    // A batch is added as a whole or not at all, so it is a group of its own.
    if (runs.length > 1) return void (await this.#write('addRuns', runs.map(runRow)));
    for (const run of runs) await this.#writer.add('addRuns', run.run_id, runRow(run));
  }

  start(runId: string, { at, checksum, tools }: RunStart): Promise<boolean> {
    const names = tools === null ? null : JSON.stringify(tools);
    return this.#writer.add('start', runId, { key: runId, at, checksum, tools: names });
  }

  end(runId: string, { at, status, reason, answer }: RunEnd): Promise<boolean> {
    const text = answer === null ? null : writeJson(answer);
    return this.#writer.add('end', runId, { key: runId, at, status, reason, answer: text });
  }

  addCall(call: CallRecord): Promise<boolean> {
    return this.#writer.add('addCall', `${call.run_id} ${call.n}`, call);
  }

  async run(runId: string): Promise<RunRecord | undefined> {
    const [row] = await this.#read('run', [runId]);
    return row && readRun(row);
  }

  async *runs({ run, batch, agent }: RunFilter = {}): AsyncIterableIterator<RunRecord> {
    let after = '0';
    for (;;) {
      const filter = [run ?? null, batch ?? null, agent ?? null];
      const rows = await this.#read('runs', [...filter, after, String(AT_A_TIME)]);
      yield* rows.map(readRun);
      const last = rows.at(-1);
      if (!last || rows.length < AT_A_TIME) return;
      after = String(last.seq);
    }
  }

  async calls(runId: string): Promise<CallRecord[]> {
    return (await this.#read('calls', [runId])).map((row) => callRecord.parse(row));
  }

  async handles(runId: string): Promise<string[]> {
    return (await this.#read('handles', [runId])).map(({ handle }) => String(handle));
  }

  async usage(runId: string): Promise<RunUsage> {
    const [row] = await this.#read('usage', [runId]);
    return { calls: Number(row?.calls), bytes: Number(row?.bytes) };
  }

  async open(now: number): Promise<OpenRuns> {
    const times = [now, now - STUCK_AFTER_MS, now - STUCK_UNTIL_MS].map(String);
    const [row] = await this.#read('open', times);
    return { open: Number(row?.open), stuck: Number(row?.stuck) };
  }

  async bytes(): Promise<number> {
    const [row] = await this.#read('bytes', []);
    return Number(row?.bytes);
  }

  async prune({ before, maxBytes, idleSince }: PruneBounds): Promise<number> {
    const dropped = await this.#drop(null, before);
    // Adding up exact sizes reads every call, so it is done only if the disk size suggests that the limit is exceeded.
    const [onDisk] = await this.#read('size', []);
    if (Number(onDisk?.bytes) <= maxBytes) return dropped;
    const [last] = await this.#read('lastTooMany', [String(idleSince), String(maxBytes)]);
    return typeof last?.seq === 'string' ? dropped + (await this.#drop(last.seq, idleSince)) : dropped;
  }

  /** Drops runs that were last active before a time, all or up to a sequence number. Returns their number. */
  async #drop(upTo: string | null, before: number): Promise<number> {
    let dropped = 0;
    for (;;) {
      const values = [upTo ?? LAST, String(before), String(AT_A_TIME)];
      const { count } = await this.#sql
        .unsafe(PRUNE, values)
        .catch((error) => Promise.reject(asProblem(error)));
      dropped += count;
      if (count < AT_A_TIME) return dropped;
    }
  }

  requireRoom(): void {}

  async close(): Promise<void> {
    await this.#writer.flush();
    await this.#sql.end({ timeout: 5 });
    await this.#presence.close();
  }

  async #write(write: Write, rows: readonly object[]): Promise<string[]> {
    try {
      const written = await this.#sql.unsafe(WRITES[write], [JSON.stringify(rows, withoutNul)], PREPARED);
      return written.map(({ key }) => String(key));
    } catch (error) {
      throw asProblem(error);
    }
  }

  async #read(read: keyof typeof READS, values: (string | null)[]): Promise<Record<string, unknown>[]> {
    try {
      return [...(await this.#sql.unsafe(READS[read], values, PREPARED))];
    } catch (error) {
      throw asProblem(error);
    }
  }
}

const PREPARED = { prepare: true };

/** PostgreSQL's text cannot contain NUL. In JSON it is escaped, so only names can have one. */
function withoutNul(_key: string, value: unknown): unknown {
  return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value;
}

/**
 * PostgreSQL rejects a statement because of a bug of ours, or for lack of space; any other error means that it is
 * unreachable.
 */
function asProblem(error: unknown): unknown {
  const { code = '', severity } = error as { readonly code?: string; readonly severity?: string };
  if (code === DISK_FULL) return storageFull(error);
  if (severity === 'ERROR') return error;
  const detail =
    'The database of runs cannot be reached. Whether this was recorded, GET /runs/<id> tells when it is back.';
  return new HttpProblem('NOT_READY', detail, { headers: { 'retry-after': '5' }, cause: error });
}

function describe(error: unknown): string {
  if (error instanceof AggregateError) return describe(error.errors[0]);
  return error instanceof Error && error.message !== ''
    ? error.message
    : String((error as { code?: string }).code);
}

/** A row to write, with the callbacks of its writer. */
interface Waiting {
  readonly write: Write;
  /** The key that the statement returns if the row was written. */
  readonly key: string;
  readonly row: object;
  readonly resolve: (isWritten: boolean) => void;
  readonly reject: (error: unknown) => void;
}

/** Writes rows of one kind; returns the keys of those written. */
export type WriteRows = (write: Write, rows: readonly object[]) => Promise<readonly string[]>;

const ORDER: readonly Write[] = ['addRuns', 'start', 'addCall', 'end'];
/** Maximum rows per statement. */
const MOST_ROWS = 2000;

/**
 * Writes to a database in groups: rows that arrive during a write form the next group. Thus all writers in that time
 * share one commit, however many there are.
 */
export class GroupWriter {
  readonly #writeRows: WriteRows;
  #waiting: Waiting[] = [];
  #writing: Promise<void> | null = null;

  constructor(writeRows: WriteRows) {
    this.#writeRows = writeRows;
  }

  /** Resolves to true when the row is committed, to false if it conflicts; rejects if the outcome is unknown. */
  add(write: Write, key: string, row: object): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ write, key, row, resolve, reject });
      this.#writing ??= this.#writeAll();
    });
  }

  /** Resolves when no row is waiting. */
  async flush(): Promise<void> {
    await this.#writing;
  }

  async #writeAll(): Promise<void> {
    // Rows of the same turn go into the same group.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#waiting.length > 0) {
      const group = this.#waiting;
      this.#waiting = [];
      for (const write of ORDER) {
        const some = group.filter((each) => each.write === write);
        for (let at = 0; at < some.length; at += MOST_ROWS) {
          await this.#writeSome(write, some.slice(at, at + MOST_ROWS));
        }
      }
    }
    this.#writing = null;
  }

  async #writeSome(write: Write, some: readonly Waiting[]): Promise<void> {
    try {
      const written = await this.#writeRows(
        write,
        some.map(({ row }) => row),
      );
      // Of rows with the same key, the first was written.
      const left = new Set(written);
      for (const { key, resolve } of some) resolve(left.delete(key));
    } catch (error) {
      const [only] = some;
      if (some.length === 1) return only?.reject(error);
      // An invalid row must not fail its neighbours, so each is tried alone.
      for (const each of some) await this.#writeSome(write, [each]);
    }
  }
}

/** The advisory lock of a database of runs: shared between servers, exclusive for commands that change runs. */
const LOCK = '1919905643, 1';
/** The name of servers older than that lock. */
const WITHOUT_LOCK = 'rookery';
const AGAIN_MS = 1000;
/** Time for another server, starting at the same time, to migrate the tables. */
const MIGRATION_MS = 5000;

/** Identifies this process in a database; PostgreSQL allows 63 characters. */
const OWN_NAME = `rookery ${packageVersion} on ${hostname().slice(0, 30)}, process ${process.pid}`.slice(
  0,
  63,
);

/** Options of all connections to a database of runs. */
export const CONNECTION: Options<Record<string, never>> = {
  connect_timeout: 10,
  // Maximum seconds after a failure until a new attempt.
  backoff: (attempt) => Math.min(3 ** attempt / 100, 1),
  // Array types are not used, and fetching them would cost a query per connection.
  fetch_types: false,
  onnotice: () => {},
  connection: { application_name: OWN_NAME },
};

/**
 * A process's registration among the users of a database of runs: a connection that holds a lock for the life of the
 * process. It logs when the database is lost, and when it is back.
 */
export class Presence {
  readonly #sql: Sql;
  readonly #place: string;
  readonly #log: StoreLog | undefined;
  #isClosed = false;
  #lostAt: number | undefined;

  /**
   * Creates or migrates the tables and takes the lock. Rejects with OPTION_INVALID, which names the other users, if the
   * lock is unavailable or the tables are of a later version.
   */
  static async take(address: string, use: RunsUse, log?: StoreLog): Promise<Presence> {
    let presence: Presence | undefined;
    const sql = postgres(address, {
      ...CONNECTION,
      max: 1,
      // The lock ends with the connection.
      max_lifetime: null,
      onclose: () => presence?.lost(),
    });
    try {
      await makeTables(sql);
      presence = new Presence(sql, shownPlace(address), log);
      if (use === 'read') await presence.#requireReadable();
      else await presence.#enter(use);
      return presence;
    } catch (error) {
      if (presence) presence.#isClosed = true;
      await sql.end({ timeout: 1 });
      throw error;
    }
  }

  private constructor(sql: Sql, place: string, log: StoreLog | undefined) {
    this.#sql = sql;
    this.#place = place;
    this.#log = log;
  }

  lost(): void {
    if (this.#isClosed || this.#lostAt !== undefined) return;
    this.#lostAt = Date.now();
    this.#log?.error(`the database of runs, ${this.#place}, cannot be reached`);
    this.#tryAgain();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#sql.end({ timeout: 1 });
  }

  #tryAgain(): void {
    setTimeout(async () => {
      if (this.#isClosed) return;
      // Without the lock it continues anyway: runs deleted meanwhile are lost.
      const isBack = await this.#tryLock('shared').then(
        () => true,
        () => false,
      );
      if (this.#isClosed || this.#lostAt === undefined) return;
      if (!isBack) return this.#tryAgain();
      const seconds = Math.round((Date.now() - this.#lostAt) / 1000);
      this.#lostAt = undefined;
      this.#log?.warn(`the database of runs, ${this.#place}, is back after ${seconds} s`);
    }, AGAIN_MS).unref();
  }

  async #enter(use: 'serve' | 'prune'): Promise<void> {
    for (
      const began = performance.now();
      ;
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS / 5))
    ) {
      const version = await this.#requireReadable();
      const changes = use === 'prune' || version < POSTGRES_SCHEMA_VERSION;
      if (!changes) {
        if (await this.#tryLock('shared')) return;
        throw this.#refusal(`${await this.#owners()} drops runs there; start when that is done`);
      }
      const isAlone = await this.#tryLock('alone');
      const owners = await this.#owners();
      if (isAlone && owners === '') {
        await this.#migrate(version);
        if (use === 'serve' && (await this.#tryLock('shared')))
          await this.#sql.unsafe(`SELECT pg_advisory_unlock(${LOCK})`);
        return;
      }
      if (use === 'serve' && performance.now() - began < MIGRATION_MS) {
        if (isAlone) await this.#sql.unsafe(`SELECT pg_advisory_unlock(${LOCK})`);
        continue;
      }
      throw this.#refusal(
        use === 'prune'
          ? `runs there are in use by ${owners}; stop it first, or let it be: a server drops old runs by itself`
          : `runs there are of an older rookery (tables of version ${version}, here ${POSTGRES_SCHEMA_VERSION}) and in use by ${owners}; stop it first: the next server brings them up to date`,
      );
    }
  }

  /** The version of the tables. Rejects if it is later than ours. */
  async #requireReadable(): Promise<number> {
    const [found] = await this.#sql`SELECT version FROM rookery.version`;
    const version = Number(found?.version);
    if (version <= POSTGRES_SCHEMA_VERSION) return version;
    const owners = await this.#owners();
    const inUse = owners === '' ? '' : ` and in use by ${owners}`;
    throw this.#refusal(
      `runs there are of a later rookery (tables of version ${version}, here ${POSTGRES_SCHEMA_VERSION})${inUse}; use that one, or choose another database`,
    );
  }

  async #tryLock(how: 'shared' | 'alone'): Promise<boolean> {
    const take = how === 'shared' ? 'pg_try_advisory_lock_shared' : 'pg_try_advisory_lock';
    const [taken] = await this.#sql.unsafe(`SELECT ${take}(${LOCK}) AS is_taken`);
    return taken?.is_taken === true;
  }

  /** Describes the other users of the database; empty if there are none. */
  async #owners(): Promise<string> {
    const found = await this.#sql.unsafe(
      `SELECT DISTINCT application_name AS name, coalesce(host(client_addr), '') AS address
      FROM pg_catalog.pg_stat_activity AS session
      WHERE datname = current_database() AND pid <> pg_backend_pid() AND (
        application_name = '${WITHOUT_LOCK}'
        OR EXISTS (
          SELECT FROM pg_catalog.pg_locks AS lock
          WHERE lock.pid = session.pid AND locktype = 'advisory' AND granted
            AND database = datid AND classid || ', ' || objid = '${LOCK}'))
      ORDER BY 1, 2`,
    );
    const names = found.map(
      ({ name, address }) => `“${name || 'a session'}”${address ? ` (${address})` : ''}`,
    );
    return names.length > 3
      ? `${names.slice(0, 3).join(', ')} and ${names.length - 3} more`
      : names.join(' and ');
  }

  async #migrate(from: number): Promise<void> {
    await this.#sql.begin(async (db) => {
      for (const migration of MIGRATIONS.slice(from - 1)) await db.unsafe(migration);
      await db`UPDATE rookery.version SET version = ${POSTGRES_SCHEMA_VERSION}`;
    });
  }

  #refusal(fix: string): UserError {
    return new OptionError(this.#place, fix);
  }
}

/** Creates the tables. Other processes that start at the same time wait. */
async function makeTables(sql: Sql): Promise<void> {
  const areThere = async (db: Pick<Sql, 'unsafe'>) => {
    // Queries the catalog itself: to_regclass may have cached a state from before the lock.
    const found = await db.unsafe(
      `SELECT FROM pg_catalog.pg_class JOIN pg_catalog.pg_namespace AS schema ON schema.oid = relnamespace
      WHERE nspname = 'rookery' AND relname = 'version'`,
    );
    return found.length > 0;
  };
  if (await areThere(sql)) return;
  await sql.begin(async (db) => {
    await db`SELECT pg_advisory_xact_lock(hashtext('rookery.version'))`;
    if (await areThere(db)) return;
    for (const part of [FIRST_SCHEMA, ...MIGRATIONS]) await db.unsafe(part);
    await db`UPDATE rookery.version SET version = ${POSTGRES_SCHEMA_VERSION}`;
  });
}

/** Opens the runs in a database. Rejects with OPTION_INVALID. */
export const openRuns = PostgresRuns.open;
