import { createHash } from 'node:crypto';
import Database from 'better-sqlite3';
import { LRUCache } from 'lru-cache';
import type { Catalog } from '../../contracts/catalog.ts';
import { quoteIdentifier } from '../../sql/index.ts';
import { type Stored, VISITED } from '../oracle/oracle.ts';
import { type Change, changeMaker, type Row } from '../variants/changes.ts';
import { type TableShape, tableShapes } from '../variants/table-shape.ts';

/** What a query answers: enough to tell answers apart. */
export interface Answer {
  readonly size: number;
  /** Of the rows as a bag, or as a list where that was asked for; reals to nine digits. */
  readonly digest: string;
  /** False for no rows, for NULL alone and for a single 0: many other queries answer the same. */
  readonly tells: boolean;
}

/** A longer answer is not compared. */
const MAX_ROWS = 20_000;

/** Statements kept prepared: a query and what is nearly it are asked in turn. */
const MAX_STATEMENTS = 200;

/**
 * A database in the making: changes are tried, looked at, and kept or taken back. What is kept is recorded, and gives
 * the same rows when it is made in another copy of the same database.
 */
export class Draft {
  readonly db: Database.Database;
  readonly shapes: ReadonlyMap<string, TableShape>;
  readonly #make: (change: Change) => number;
  readonly #kept: Change[] = [];
  /** Statements whose rows are objects, and those whose rows are lists. */
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

  /** `file` is a copy of its own, and is left changed. */
  constructor(file: string, catalog: Catalog) {
    this.db = new Database(file, { fileMustExist: true });
    this.db.pragma('foreign_keys = OFF');
    this.db.pragma('journal_mode = MEMORY');
    this.db.pragma('synchronous = OFF');
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

  /** The changes that were kept, in order. */
  get kept(): readonly Change[] {
    return this.#kept;
  }

  /** Rows that queries have visited so far. */
  get spent(): number {
    return this.#spent + this.#visits;
  }

  /** Makes changes, and keeps them if they change anything and `holds`, given those that did, says so. */
  attempt(changes: readonly Change[], holds: (made: readonly Change[]) => boolean): boolean {
    this.db.exec('SAVEPOINT attempt');
    const made = changes.filter((change) => this.#make(change) > 0);
    const keep = made.length > 0 && holds(made);
    if (keep) for (const change of made) this.#kept.push(change);
    else this.db.exec('ROLLBACK TO attempt');
    this.db.exec('RELEASE attempt');
    return keep;
  }

  /** What a query that counts its visits answers; null when it fails, visits more than `maxVisits` rows or is too long. */
  answer(sql: string, maxVisits: number, isOrdered = false): Answer | null {
    const texts: string[] = [];
    let tells = false;
    let zero = false;
    const done = this.#read(sql, maxVisits, (row) => {
      texts.push(row.map(textOf).join('\0'));
      tells ||= row.some((value) => value !== null);
      zero = row.length === 1 && (row[0] === 0n || row[0] === 0);
      return texts.length <= MAX_ROWS;
    });
    if (!done) return null;
    const digest = createHash('sha1')
      .update((isOrdered ? texts : texts.sort()).join('\n'))
      .digest('base64');
    return { size: texts.length, digest, tells: tells && !(zero && texts.length === 1) };
  }

  /** The rows of a query that counts its visits; null when it fails or visits more than `maxVisits` rows. */
  rows(sql: string, maxVisits: number): Stored[][] | null {
    const rows: Stored[][] = [];
    return this.#read(sql, maxVisits, (row) => rows.push(row) > 0) ? rows : null;
  }

  /** A table's row by its identity, with that; undefined when it is gone. */
  row(table: TableShape, of: readonly Stored[]): Row | undefined {
    const where = table.identity.map((each) => `t.${quoteIdentifier(each)} IS ?`).join(' AND ');
    return this.#statements.memo(`${selectRows(table)} WHERE ${where}`).get(...of) as Row | undefined;
  }

  /** Rows that hold one of two values in a column, in the order of their identities; one more than `most` at most. */
  rowsHolding(table: TableShape, column: string, values: readonly [Stored, Stored], most: number): Row[] {
    const order = table.identity.map((each) => `t.${quoteIdentifier(each)}`).join(', ');
    const sql = `${selectRows(table)} WHERE t.${quoteIdentifier(column)} IN (?, ?) ORDER BY ${order} LIMIT ${most + 1}`;
    return this.#statements.memo(sql).all(...values) as Row[];
  }

  /** One value of a query about a single value. */
  value(sql: string, ...values: Stored[]): Stored {
    const row = this.#statements.memo(sql).get(...values) as Row | undefined;
    return row === undefined ? null : (Object.values(row)[0] ?? null);
  }

  close(): void {
    this.db.exec('ROLLBACK');
    this.db.close();
  }

  /** Whether the query came to its end; `take` returns false to stop it. */
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
      if (error instanceof TooManyVisits || error instanceof Database.SqliteError) return false;
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
