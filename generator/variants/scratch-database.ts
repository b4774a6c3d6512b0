import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import Database from 'better-sqlite3';
import { LRUCache } from 'lru-cache';
import type { Catalog } from '../../contracts/catalog.ts';
import { quoteIdentifier } from '../../sql/index.ts';
import { copyWritable, openUnsafely, VISITED } from '../oracle/engines.ts';
import type { Stored } from '../oracle/oracle.ts';
import { type Change, changeMaker, type StoredRow, type TableShape, tableShapes } from './changes.ts';

/** Enough of an answer to compare it with others. */
export interface AnswerDigest {
  readonly size: number;
  /** Hash of the rows as a bag or, if ordered, as a list; reals to nine digits. */
  readonly digest: string;
  /** False for no rows, only NULL, and a single 0, which many other queries also answer. */
  readonly isDistinctive: boolean;
}

/** Longer answers are not compared. */
const MAX_ROWS = 20_000;

const MAX_STATEMENTS = 200;

/** A copy of a database to try changes on. Those that are kept can be replayed. */
export class ScratchDatabase {
  readonly db: Database.Database;
  readonly shapes: ReadonlyMap<string, TableShape>;
  readonly #make: (change: Change) => number;
  readonly #kept: Change[] = [];
  /** Statements returning objects, and statements returning lists. */
  readonly #statements = new LRUCache<string, Database.Statement<Stored[]>>({
    max: MAX_STATEMENTS,
    memoMethod: (sql) => this.db.prepare<Stored[]>(sql).safeIntegers(),
  });
  readonly #queries = new LRUCache<string, Database.Statement<[], Stored[]>>({
    max: MAX_STATEMENTS,
    memoMethod: (sql) => this.db.prepare<[], Stored[]>(sql).raw(true).safeIntegers(),
  });
  #visits = 0;
  #maxVisits = 0;
  #spent = 0;

  /** What `work` makes of a copy of the file, which is removed afterwards. */
  static on<T>(file: string, copy: string, catalog: Catalog, work: (scratch: ScratchDatabase) => T): T {
    copyWritable(file, copy);
    const scratch = new ScratchDatabase(copy, catalog);
    try {
      return work(scratch);
    } finally {
      scratch.close();
      rmSync(copy, { force: true });
    }
  }

  /** `file` is a private copy, and is left changed. */
  constructor(file: string, catalog: Catalog) {
    this.db = openUnsafely(file);
    this.db.pragma('foreign_keys = OFF');
    const triggers = this.db.prepare("SELECT name FROM sqlite_master WHERE type = 'trigger'").pluck().all();
    for (const name of triggers as string[]) this.db.exec(`DROP TRIGGER ${quoteIdentifier(name)}`);
    this.db.function(VISITED, { varargs: true, deterministic: true }, () => {
      this.#visits++;
      if (this.#visits > this.#maxVisits) throw new TooManyVisits();
      return 1;
    });
    this.shapes = new Map(tableShapes(this.db, catalog).map((shape) => [shape.name, shape]));
    this.#make = changeMaker(this.db);
    this.db.exec('BEGIN');
  }

  get kept(): readonly Change[] {
    return this.#kept;
  }

  get spent(): number {
    return this.#spent + this.#visits;
  }

  /** Keeps the changes if any has an effect and `holds` accepts those. */
  attempt(changes: readonly Change[], holds: (made: readonly Change[]) => boolean): boolean {
    this.db.exec('SAVEPOINT attempt');
    const made = changes.filter((change) => this.#make(change) > 0);
    const keep = made.length > 0 && holds(made);
    if (keep) for (const change of made) this.#kept.push(change);
    else this.db.exec('ROLLBACK TO attempt');
    this.db.exec('RELEASE attempt');
    return keep;
  }

  /** null when the query fails, visits more than `maxVisits` rows or has too long an answer. */
  answer(sql: string, maxVisits: number, isOrdered = false): AnswerDigest | null {
    const texts: string[] = [];
    let hasValue = false;
    let zero = false;
    const done = this.#read(sql, maxVisits, (row) => {
      texts.push(row.map(textOf).join('\0'));
      hasValue ||= row.some((value) => value !== null);
      zero = row.length === 1 && (row[0] === 0n || row[0] === 0);
      return texts.length <= MAX_ROWS;
    });
    if (!done) return null;
    const digest = createHash('sha1')
      .update((isOrdered ? texts : texts.sort()).join('\n'))
      .digest('base64');
    return { size: texts.length, digest, isDistinctive: hasValue && !(zero && texts.length === 1) };
  }

  /** null when the query fails or visits more than `maxVisits` rows. */
  rows(sql: string, maxVisits: number): Stored[][] | null {
    const rows: Stored[][] = [];
    return this.#read(sql, maxVisits, (row) => rows.push(row) > 0) ? rows : null;
  }

  /** The current row with that identity; undefined when it is gone. */
  row(table: TableShape, of: readonly Stored[]): StoredRow | undefined {
    const where = table.identity.map((each) => `t.${quoteIdentifier(each)} IS ?`).join(' AND ');
    return this.#statements.memo(`${selectRows(table)} WHERE ${where}`).get(...of) as StoredRow | undefined;
  }

  /** Rows with one of two values, in the order of their identities; at most `most` + 1. */
  rowsHolding(
    table: TableShape,
    column: string,
    values: readonly [Stored, Stored],
    most: number,
  ): StoredRow[] {
    const order = table.identity.map((each) => `t.${quoteIdentifier(each)}`).join(', ');
    const sql = `${selectRows(table)} WHERE t.${quoteIdentifier(column)} IN (?, ?) ORDER BY ${order} LIMIT ${most + 1}`;
    return this.#statements.memo(sql).all(...values) as StoredRow[];
  }

  value(sql: string, ...values: Stored[]): Stored {
    const row = this.#statements.memo(sql).get(...values) as StoredRow | undefined;
    return row === undefined ? null : (Object.values(row)[0] ?? null);
  }

  close(): void {
    if (this.db.inTransaction) this.db.exec('ROLLBACK');
    this.db.close();
  }

  /** Whether the query ran to its end; `take` returns false to stop it. */
  #read(sql: string, maxVisits: number, take: (row: Stored[]) => boolean): boolean {
    this.#spent += this.#visits;
    this.#visits = 0;
    this.#maxVisits = maxVisits;
    try {
      for (const row of this.#queries.memo(sql).iterate()) {
        if (!take(row)) return false;
      }
      return true;
    } catch (error) {
      if (error instanceof TooManyVisits) return false;
      // Without memory, SQLite also undoes the changes.
      if (error instanceof Database.SqliteError && this.db.inTransaction) return false;
      throw error;
    }
  }
}

function selectRows({ name, identity, columns }: TableShape): string {
  const names = [...new Set([...identity, ...columns.map((column) => column.name)])];
  const list = names.map((each) => `t.${quoteIdentifier(each)} AS ${quoteIdentifier(each)}`).join(', ');
  return `SELECT ${list} FROM ${quoteIdentifier(name)} AS t`;
}

class TooManyVisits extends Error {}

/** Sums over reals depend on the order of rows in their last digits. */
function textOf(value: Stored): string {
  if (typeof value === 'number') return `r${value.toPrecision(9)}`;
  if (typeof value === 'bigint') return `r${Number(value).toPrecision(9)}/${value}`;
  if (value === null) return 'n';
  return typeof value === 'string' ? `t${value}` : `b${Buffer.from(value).toString('hex')}`;
}
