import { hostname } from 'node:os';
import type { FastifyBaseLogger } from 'fastify';
import type { Options, Sql } from 'postgres';
import { UserError } from '../../../contracts/errors.ts';
import { packageVersion } from '../../../contracts/package-root.ts';
import { FIRST_SCHEMA, MIGRATIONS, POSTGRES_SCHEMA_VERSION } from './postgres-schema.ts';
import { shownPlace } from './runs-place.ts';

/** What runs are opened for: by a server, which others may join; to drop runs, alone; or only to be read. */
export type RunsUse = 'serve' | 'prune' | 'read';
export type StoreLog = Pick<FastifyBaseLogger, 'error' | 'warn'>;

/** Of the advisory lock that whoever uses a database of runs holds: servers together, who changes what is there alone. */
const LOCK = '1919905643, 1';
/** What a server of before that lock calls itself. */
const WITHOUT_LOCK = 'rookery';
const AGAIN_MS = 1000;
/** For another server that begins at the same time and brings the tables up to date. */
const MIGRATION_MS = 5000;

/** How this process is known in a database; PostgreSQL takes 63 characters. */
const OWN_NAME = `rookery ${packageVersion} on ${hostname().slice(0, 30)}, process ${process.pid}`.slice(
  0,
  63,
);

/** What all our connections to a database of runs have in common. */
export const CONNECTION: Options<Record<string, never>> = {
  connect_timeout: 10,
  // Who asks after a failure waits no longer than this, in seconds, for a new attempt.
  backoff: (attempt) => Math.min(3 ** attempt / 100, 1),
  // The types of arrays are not needed, and asking for them is a question more on every connection.
  fetch_types: false,
  onnotice: () => {},
  connection: { application_name: OWN_NAME },
};

/**
 * A process's place among those that use a database of runs: a connection that holds a lock as long as the process
 * does. It tells the log when the database goes, and when it is back.
 */
export class Presence {
  readonly #sql: Sql;
  readonly #place: string;
  readonly #log: StoreLog | undefined;
  #isClosed = false;
  #lostAt: number | undefined;

  /**
   * Makes the tables, or brings them up to date, and takes the lock. Rejects with OPTION_INVALID, which names who uses
   * the database, where it cannot be had or its tables are of a later version.
   */
  static async take(address: string, use: RunsUse, log?: StoreLog): Promise<Presence> {
    const { default: postgres } = await import('postgres');
    let presence: Presence | undefined;
    const sql = postgres(address, {
      ...CONNECTION,
      max: 1,
      // The lock goes with the connection.
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

  /** The connection has ended. */
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
      // Without the lock it goes on as before: what is dropped meanwhile is dropped.
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

  /** The version of the tables. Rejects where it is a later one than ours. */
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

  /** Who else uses the database, in words; empty when nobody does. */
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
    return new UserError('OPTION_INVALID', this.#place, fix);
  }
}

/** One process makes them; others that begin at the same time wait for it. */
async function makeTables(sql: Sql): Promise<void> {
  const areThere = async (db: Pick<Sql, 'unsafe'>) => {
    // In the catalog itself: what to_regclass knows may be older than the lock below.
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
