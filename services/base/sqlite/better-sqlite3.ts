import Database from 'better-sqlite3';
import { LRUCache } from 'lru-cache';
import {
  type Connection,
  type Driver,
  keepObjects,
  SqliteError,
  type SqlParameters,
  type SqlValue,
  type Statement,
  type WritableConnection,
} from './driver.ts';

keepObjects();

/** Enough for a domain's hot pages. The operating system caches the rest, and mmap is shared between processes. */
const CACHE_KB = 2000;
const MMAP_BYTES = 1 << 30;

const MAX_AD_HOC_STATEMENTS = 500;

export const betterSqlite3: Driver = {
  open: (file) => new BetterConnection(openedWith(file, { readonly: true }, configure)),
  openWritable: (file) => new BetterWritable(openedWith(file, {}, configureWritable)),
};

function openedWith(file: string, options: Database.Options, configure: (db: Database.Database) => void) {
  const db = guarded(() => new Database(file, { ...options, fileMustExist: true }));
  try {
    guarded(() => configure(db));
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

class BetterConnection implements Connection {
  protected readonly db: Database.Database;
  readonly #kept = new Map<string, Statement>();
  readonly #adHoc = new LRUCache<string, Statement>({ max: MAX_AD_HOC_STATEMENTS });

  constructor(db: Database.Database) {
    this.db = db;
  }

  prepare(sql: string): Statement {
    let statement = this.#kept.get(sql);
    if (!statement) {
      statement = this.#compile(sql);
      this.#kept.set(sql, statement);
    }
    return statement;
  }

  prepareAdHoc(sql: string): Statement {
    let statement = this.#kept.get(sql) ?? this.#adHoc.get(sql);
    if (!statement) {
      statement = this.#compile(sql);
      this.#adHoc.set(sql, statement);
    }
    return statement;
  }

  close(): void {
    this.db.close();
  }

  #compile(sql: string): Statement {
    return guarded(() => new BetterStatement(this.db.prepare(sql)));
  }
}

class BetterWritable extends BetterConnection implements WritableConnection {
  readonly #own = new LRUCache<string, Database.Statement>({ max: MAX_AD_HOC_STATEMENTS });

  get inTransaction(): boolean {
    return this.db.inTransaction;
  }

  exec(sql: string): void {
    guarded(() => this.db.exec(sql));
  }

  run(sql: string, values: readonly SqlValue[] = []): number {
    return guarded(() => this.#statement(sql).run(...values).changes);
  }

  rows(sql: string, values: readonly SqlValue[] = []): SqlValue[][] {
    return guarded(
      () =>
        this.#statement(sql)
          .raw(true)
          .all(...values) as SqlValue[][],
    );
  }

  define(name: string, call: (...values: SqlValue[]) => void): void {
    this.db.function(name, { varargs: true, safeIntegers: true }, (...values) => {
      call(...(values as SqlValue[]));
      return null;
    });
  }

  #statement(sql: string): Database.Statement {
    let statement = this.#own.get(sql);
    if (!statement) {
      statement = this.db.prepare(sql).safeIntegers(true);
      this.#own.set(sql, statement);
    }
    return statement;
  }
}

class BetterStatement implements Statement {
  readonly columns: readonly string[];
  readonly #statement: Database.Statement;

  constructor(statement: Database.Statement) {
    if (!statement.reader) throw new SqliteError('SQLITE_MISUSE', 'the statement returns no rows');
    this.#statement = statement.safeIntegers(true);
    this.columns = statement.columns().map((column) => column.name);
  }

  all(parameters: SqlParameters = {}): SqlValue[][] {
    return guarded(() => this.#statement.raw(true).all(parameters) as SqlValue[][]);
  }

  each(parameters: SqlParameters, visit: (row: SqlValue[]) => boolean): void {
    walk(this.#statement.raw(true), parameters, visit);
  }

  allFirst(parameters: SqlParameters): SqlValue[] {
    return guarded(() => this.#statement.pluck(true).all(parameters) as SqlValue[]);
  }

  eachFirst(parameters: SqlParameters, visit: (value: SqlValue) => boolean): void {
    walk(this.#statement.pluck(true), parameters, visit);
  }
}

function walk<T>(statement: Database.Statement, parameters: SqlParameters, visit: (item: T) => boolean) {
  try {
    // Leaving the loop early resets the statement.
    for (const item of statement.iterate(parameters)) if (!visit(item as T)) break;
  } catch (error) {
    throw asSqliteError(error);
  }
}

function configureAny(db: Database.Database): void {
  db.pragma('trusted_schema = off');
  db.pragma(`cache_size = -${CACHE_KB}`);
  db.pragma(`mmap_size = ${MMAP_BYTES}`);
  // A read-only file system has no room for temporary files.
  db.pragma('temp_store = memory');
}

function configure(db: Database.Database): void {
  db.pragma('query_only = on');
  configureAny(db);
  // Stays open: there are no writers, and statements need not take and release the file lock.
  db.exec('begin');
  db.prepare('select count(*) from sqlite_schema').get();
}

/** For a private copy whose transactions are all rolled back: nothing needs to reach the disk. */
function configureWritable(db: Database.Database): void {
  db.pragma('journal_mode = memory');
  db.pragma('synchronous = off');
  db.pragma('locking_mode = exclusive');
  db.pragma('foreign_keys = on');
  configureAny(db);
}

function guarded<T>(action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw asSqliteError(error);
  }
}

function asSqliteError(error: unknown): unknown {
  if (error instanceof Database.SqliteError)
    return new SqliteError(error.code, error.message, { cause: error });
  // For a missing folder, the library throws a TypeError.
  if (error instanceof TypeError && /directory does not exist/i.test(error.message)) {
    return new SqliteError('SQLITE_CANTOPEN', error.message, { cause: error });
  }
  return error;
}
