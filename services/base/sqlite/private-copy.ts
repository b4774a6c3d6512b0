import { chmodSync, constants, copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'lossless-json';
import { betterSqlite3 } from './better-sqlite3.ts';
import {
  type Connection,
  quoted,
  SqliteError,
  type SqlParameters,
  type SqlValue,
  type Statement,
  TIME_KEYWORDS,
  type WritableConnection,
} from './driver.ts';

export type RowValues = Readonly<Record<string, SqlValue>>;

export interface RowChange {
  readonly table: string;
  /** Its row id, or its primary key in a table without row ids. */
  readonly id: readonly SqlValue[];
  /** The columns that name it to people; empty for the row id. */
  readonly key: readonly string[];
  /** null: the row did not exist. */
  readonly before: RowValues | null;
  /** null: the row exists no more. */
  readonly after: RowValues | null;
  /** The rules broken by the call that made the change, where rules are recorded rather than enforced. */
  readonly broke?: readonly string[];
}

/** The rows that one call changed, as text that any process can read. */
export class JournalStep {
  readonly text: string;
  #changes: readonly RowChange[] | undefined;

  constructor(text: string, changes?: readonly RowChange[]) {
    this.text = text;
    this.#changes = changes;
  }

  static of(changes: readonly RowChange[]): JournalStep {
    return new JournalStep(printChanges(changes), changes);
  }

  get changes(): readonly RowChange[] {
    this.#changes ??= parse(this.text, reviveBlob, readNumber) as readonly RowChange[];
    return this.#changes;
  }
}

export type Journal = readonly JournalStep[];

/** Integers and reals stay apart: `5` and `5.0`. A blob is an object with its bytes in hexadecimal. */
function printChanges(changes: readonly RowChange[]): string {
  const object = (row: RowValues | null): string =>
    row === null
      ? 'null'
      : `{${Object.entries(row)
          .map(([name, value]) => `${JSON.stringify(name)}:${printValue(value)}`)
          .join(',')}}`;
  const one = ({ table, id, key, before, after, broke }: RowChange) =>
    `{"table":${JSON.stringify(table)},"id":[${id.map(printValue).join(',')}],"key":${JSON.stringify(key)},"before":${object(before)},"after":${object(after)}${broke ? `,"broke":${JSON.stringify(broke)}` : ''}}`;
  return `[${changes.map(one).join(',')}]`;
}

function printValue(value: SqlValue): string {
  if (typeof value === 'bigint') return String(value);
  if (value instanceof Uint8Array) return `{"blob":"${Buffer.from(value).toString('hex').toUpperCase()}"}`;
  if (typeof value !== 'number') return JSON.stringify(value);
  if (!Number.isFinite(value)) return value > 0 ? '1e400' : '-1e400';
  const text = Object.is(value, -0) ? '-0' : String(value);
  return /[.e]/.test(text) ? text : `${text}.0`;
}

function readNumber(text: string): bigint | number {
  return /^-?\d+$/.test(text) ? BigInt(text) : Number(text);
}

function reviveBlob(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Object.keys(value).length !== 1) return value;
  const { blob } = value as { readonly blob?: unknown };
  return typeof blob === 'string' ? Buffer.from(blob, 'hex') : value;
}

/** A table as the database itself describes it. */
export interface TableShape {
  readonly name: string;
  /** Columns that can be written: all but generated ones. */
  readonly columns: readonly string[];
  /** The column that is the row id, or the primary key of a table without row ids. */
  readonly id: readonly string[];
  /** The INTEGER PRIMARY KEY, which SQLite numbers by itself; null if there is none. */
  readonly numbered: string | null;
  /** Columns that are given the current time, and how it is written there. */
  readonly timed: readonly (readonly [column: string, timeAt: (time: string) => string])[];
  /** Whether a new row may silently replace others, which no trigger reports. */
  readonly replaces: boolean;
  readonly sql: {
    readonly select: string;
    readonly insert: string;
    readonly update: string;
    readonly remove: string;
  };
}

interface Touched {
  readonly shape: TableShape;
  readonly id: readonly SqlValue[];
}

/** Opens a copy of a file. `shares`: whether the file system made it by reflink, without copying the bytes. */
export function openCopy<Opened>(file: string, open: (copy: string, shares: boolean) => Opened): Opened {
  const folder = mkdtempSync(join(tmpdir(), 'rookery-copy-'));
  try {
    const copy = join(folder, 'copy.sqlite');
    const shares = isReflink(file, copy);
    if (!shares) copyFileSync(file, copy);
    chmodSync(copy, 0o600);
    return open(copy, shares);
  } finally {
    // An open file lasts until it is closed, so nothing is left behind however the process ends.
    rmSync(folder, { recursive: true, force: true });
  }
}

function isReflink(file: string, copy: string): boolean {
  try {
    copyFileSync(file, copy, constants.COPYFILE_FICLONE_FORCE);
    return true;
  } catch {
    return false;
  }
}

/** The function that triggers call with the number of a table and the id of a row. */
const TOUCHED = 'rookery_touched';

/**
 * A private, writable copy of a database, on which the state of any run can be had for the length of one call: its
 * journal is applied in a transaction that is always rolled back.
 */
export class PrivateCopy {
  readonly #db: WritableConnection;
  readonly #keyOf: (table: string) => readonly string[];
  readonly #shapes = new Map<string, TableShape>();
  /** The schema's own triggers, which must not fire while a journal is applied. */
  readonly #triggers: readonly { readonly name: string; readonly sql: string }[];
  readonly #searchIndexes: readonly string[];
  readonly #hasDeferredKeys: boolean;
  /** Rows touched by the call under way; null while a journal is applied. */
  #touched: Map<string, Touched> | null = null;

  /** `keyOf`: the columns that name a table's rows. Throws SqliteError, and errors of the file system. */
  constructor(file: string, keyOf: (table: string) => readonly string[] = () => []) {
    this.#keyOf = keyOf;
    this.#db = openCopy(file, betterSqlite3.openWritable);
    const schema = this.#db.rows('SELECT type, name, coalesce(sql, ?) FROM sqlite_schema', ['']);
    const named = (type: string) =>
      schema.filter((row) => row[0] === type).map((row) => ({ name: String(row[1]), sql: String(row[2]) }));
    this.#triggers = named('trigger');
    this.#searchIndexes = named('table')
      .filter(({ sql }) => /USING fts5\(.*content=/is.test(sql))
      .map(({ name }) => name);
    this.#hasDeferredKeys = named('table').some(({ sql }) => /INITIALLY\s+DEFERRED/i.test(sql));
    // A foreign key that refers to no unique columns is an error of the schema, which fails every write.
    if (!this.#hasSoundKeys()) this.#db.exec('PRAGMA foreign_keys = off');
    this.#watchRows();
  }

  /** undefined for a view, and for what is no table at all. */
  shape(table: string): TableShape | undefined {
    return this.#shapes.get(table);
  }

  /** Reads in the state that a journal leads to. `sql`: the statement, whose full-text indexes are brought up to date. */
  read<Result>(journal: Journal, sql: string, work: (db: WritableConnection) => Result): Result {
    return this.#inState(journal, () => {
      for (const name of this.#searchIndexes) {
        if (!sql.includes(name)) continue;
        const index = quoted(name);
        this.#db.exec(`INSERT INTO ${index}(${index}) VALUES ('rebuild')`);
      }
      return work(this.#db);
    });
  }

  /**
   * Carries out a call in the state that a journal leads to. Returns the rows that it changed, as they were before the
   * call and after it. Throws SqliteError for a broken constraint: then nothing has changed.
   */
  write<Result>(
    journal: Journal,
    work: (db: WritableConnection) => Result,
  ): { readonly result: Result; readonly changes: readonly RowChange[] } {
    const { result, touched } = this.#inState(journal, () => {
      const broken = this.#hasDeferredKeys ? this.#violations() : null;
      const rows = new Map<string, Touched>();
      this.#touched = rows;
      const result = work(this.#db);
      this.#touched = null;
      if (broken && [...this.#violations()].some((each) => !broken.has(each)))
        throw new SqliteError('SQLITE_CONSTRAINT_FOREIGNKEY', 'FOREIGN KEY constraint failed');
      const touched = [...rows].map(([key, { shape, id }]) => ({
        key,
        shape,
        id,
        after: storedRow(this.#db, shape, id),
      }));
      return { result, touched };
    });
    const known = touched.length === 0 ? new Map<string, RowValues | null>() : latestRows(journal);
    const changes = touched.flatMap(({ key, shape, id, after }): RowChange[] => {
      const before = known.has(key) ? (known.get(key) ?? null) : storedRow(this.#db, shape, id);
      return sameRow(before, after)
        ? []
        : [{ table: shape.name, id, key: this.#keyOf(shape.name), before, after }];
    });
    return { result, changes };
  }

  /**
   * Whether a condition on `before` and `after` holds for one of the given changes of a table's rows, in the state
   * after the step that they are part of.
   */
  holds(
    condition: string,
    { table, changes }: { readonly table: string; readonly changes: readonly RowChange[] },
    journal: Journal,
    step: JournalStep,
  ): boolean {
    const shape = this.#shapes.get(table);
    if (!shape) return false;
    const all = `main.${quoted(table)}`;
    // Made of the table itself, so that values compare as they do there.
    const placeFor = (side: 'before' | 'after') => {
      const place = `temp.${quoted(`rookery_${side}_${table}`)}`;
      this.#db.exec(`CREATE TABLE IF NOT EXISTS ${place} AS SELECT 0 AS rookery_n, * FROM ${all} WHERE 0`);
      return place;
    };
    const [before, after] = [placeFor('before'), placeFor('after')];
    const where = shape.id.map((column) => `${quoted(column)} = ?`).join(' AND ');
    const keep = (place: string, side: 'before' | 'after') => {
      for (const [n, change] of changes.entries()) {
        if (change[side] === null) this.#db.run(`INSERT INTO ${place} (rookery_n) VALUES (?)`, [BigInt(n)]);
        else
          this.#db.run(`INSERT INTO ${place} SELECT ?, * FROM ${all} WHERE ${where}`, [
            BigInt(n),
            ...change.id,
          ]);
      }
    };
    return this.#inState(journal, () => {
      keep(before, 'before');
      this.#apply([step]);
      keep(after, 'after');
      const rows = this.#db.rows(
        `${conditionSql(condition, before, after)} AND before.rookery_n = after.rookery_n LIMIT 1`,
      );
      return rows.length > 0;
    });
  }

  close(): void {
    this.#db.close();
  }

  #inState<Result>(journal: Journal, work: () => Result): Result {
    this.#db.run('BEGIN IMMEDIATE');
    try {
      if (journal.length > 0) this.#apply(journal);
      return work();
    } finally {
      this.#touched = null;
      // A constraint may have rolled back by itself.
      if (this.#db.inTransaction) this.#db.run('ROLLBACK');
    }
  }

  /** Step by step, since each led from one valid state to the next, and so that AUTOINCREMENT counts all rows. */
  #apply(journal: Journal): void {
    for (const { name } of this.#triggers) this.#db.exec(`DROP TRIGGER ${quoted(name)}`);
    this.#db.exec('PRAGMA defer_foreign_keys = on');
    for (const { changes } of journal) this.#applyStep(changes);
    this.#db.exec('PRAGMA defer_foreign_keys = off');
    for (const { sql } of this.#triggers) this.#db.exec(sql);
  }

  /** In the order that constraints allow: a row may take what another gives up. */
  #applyStep(changes: readonly RowChange[]): void {
    let due = [
      ...changes.filter(({ after }) => after !== null),
      ...changes.filter(({ after }) => after === null),
    ];
    while (due.length > 0) {
      let failure: unknown = null;
      const left = due.filter((change) => {
        try {
          this.#applyOne(change);
          return false;
        } catch (error) {
          if (!(error instanceof SqliteError) || !error.code.startsWith('SQLITE_CONSTRAINT')) throw error;
          failure = error;
          return true;
        }
      });
      if (left.length === due.length) throw failure;
      due = left;
    }
  }

  #applyOne({ table, id, before, after }: RowChange): void {
    const shape = this.#shapes.get(table);
    if (!shape) throw new Error(`the journal names a table ${table}, which the database lacks`);
    const { sql } = shape;
    if (after === null) {
      this.#db.run(sql.remove, id);
      return;
    }
    const values = shape.columns.map((column) => after[column] ?? null);
    if (before === null) this.#db.run(sql.insert, hasRowid(shape) ? [...id, ...values] : values);
    else this.#db.run(sql.update, [...values, ...id]);
  }

  #hasSoundKeys(): boolean {
    try {
      this.#violations();
      return true;
    } catch (error) {
      if (error instanceof SqliteError) return false;
      throw error;
    }
  }

  #violations(): ReadonlySet<string> {
    return new Set(this.#db.rows('PRAGMA foreign_key_check').map((row) => row.map(String).join('\0')));
  }

  /** Triggers of this connection only report which rows were touched; what they hold is read afterwards. */
  #watchRows(): void {
    const shapes: TableShape[] = [];
    this.#db.define(TOUCHED, (number, ...id) => {
      const shape = shapes[Number(number)];
      if (shape) this.#touched?.set(rowKey(shape.name, id), { shape, id });
    });
    const tables = this.#db.rows(
      "SELECT t.name, t.wr, s.sql FROM pragma_table_list AS t JOIN sqlite_schema AS s ON s.name = t.name WHERE t.schema = 'main' AND t.type = 'table' AND s.type = 'table' AND t.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'",
    );
    for (const [name, withoutRowid, sql] of tables) {
      const shape = this.#shapeOf(String(name), withoutRowid === 1n, String(sql));
      if (!shape) continue;
      this.#shapes.set(shape.name, shape);
      const number = shapes.push(shape) - 1;
      const call = (row: string) =>
        `SELECT ${TOUCHED}(${[number, ...shape.id.map((column) => `${row}.${quoted(column)}`)].join(', ')});`;
      for (const [event, calls] of [
        ['INSERT', call('NEW')],
        ['UPDATE', call('OLD') + call('NEW')],
        ['DELETE', call('OLD')],
      ])
        this.#db.exec(
          `CREATE TEMP TRIGGER rookery_${number}_${event} AFTER ${event} ON main.${quoted(shape.name)} BEGIN ${calls} END`,
        );
    }
  }

  /** null for a table whose columns hide every name of the row id. */
  #shapeOf(name: string, withoutRowid: boolean, definition: string): TableShape | null {
    const info = this.#db.rows(
      'SELECT name, pk, hidden, type, upper(dflt_value) FROM pragma_table_xinfo(?)',
      [name],
    );
    const all = info.map(([column]) => String(column).toLowerCase());
    const columns = info.filter(([, , hidden]) => hidden === 0n).map(([column]) => String(column));
    const keys = info
      .filter(([, pk]) => Number(pk) > 0)
      .sort((a, b) => Number(a[1]) - Number(b[1]))
      .map(([column]) => String(column));
    const rowid = ['rowid', '_rowid_', 'oid'].find((each) => !all.includes(each));
    if (!withoutRowid && rowid === undefined) return null;
    const id = withoutRowid || rowid === undefined ? keys : [rowid];
    const table = `main.${quoted(name)}`;
    const list = columns.map(quoted);
    const where = `WHERE ${id.map((column) => `${quoted(column)} = ?`).join(' AND ')}`;
    const inserted = [...(withoutRowid ? [] : id.map(quoted)), ...list];
    const isNumbered = ([, , , type]: readonly SqlValue[]) => String(type).toUpperCase() === 'INTEGER';
    return {
      name,
      columns,
      id,
      numbered:
        keys.length === 1 && !withoutRowid && info.some((each) => each[0] === keys[0] && isNumbered(each))
          ? (keys[0] ?? null)
          : null,
      timed: info.flatMap(([column, , , , usual]) => {
        const timeAt = TIME_KEYWORDS.get(String(usual));
        return timeAt ? [[String(column), timeAt] as const] : [];
      }),
      replaces: /ON\s+CONFLICT\s+REPLACE/i.test(definition),
      sql: {
        select: `SELECT ${list.join(', ')} FROM ${table} ${where}`,
        insert: `INSERT INTO ${table} (${inserted.join(', ')}) VALUES (${inserted.map(() => '?').join(', ')})`,
        update: `UPDATE ${table} SET ${list.map((column) => `${column} = ?`).join(', ')} ${where}`,
        remove: `DELETE FROM ${table} ${where}`,
      },
    };
  }
}

/** A SELECT that has rows if a condition holds. `before`, `after`: what it may refer to by these names. */
export function conditionSql(condition: string, before: string, after: string): string {
  return `SELECT 1 FROM ${before} AS before, ${after} AS after WHERE (\n${condition}\n)`;
}

export function storedRow(db: WritableConnection, { sql, columns }: TableShape, id: readonly SqlValue[]) {
  const [row] = db.rows(sql.select, id);
  return row ? Object.fromEntries(columns.map((column, at) => [column, row[at] ?? null])) : null;
}

function hasRowid({ id, columns }: TableShape): boolean {
  return !columns.includes(id[0] ?? '');
}

/** The rows that a journal changed, as it leaves them. */
function latestRows(journal: Journal): ReadonlyMap<string, RowValues | null> {
  const rows = new Map<string, RowValues | null>();
  for (const { changes } of journal)
    for (const { table, id, after } of changes) rows.set(rowKey(table, id), after);
  return rows;
}

export function rowKey(table: string, id: readonly SqlValue[]): string {
  return `${table}\0${id.map(printValue).join('\0')}`;
}

/** Whether two rows hold the same values of the same types. */
export function sameRow(a: RowValues | null, b: RowValues | null): boolean {
  if (a === null || b === null) return a === b;
  return Object.keys(a).every((column) => {
    const [one = null, other = null] = [a[column], b[column]];
    return one === other || (typeof one === typeof other && printValue(one) === printValue(other));
  });
}

/** A private copy in the state of one journal, as a read-only connection. */
export class WrittenConnection implements Connection {
  readonly #copy: PrivateCopy;
  readonly #journal: Journal;

  constructor(copy: PrivateCopy, journal: Journal) {
    this.#copy = copy;
    this.#journal = journal;
  }

  prepare(sql: string): Statement {
    return this.#statement(sql, (db) => db.prepare(sql));
  }

  prepareAdHoc(sql: string): Statement {
    return this.#statement(sql, (db) => db.prepareAdHoc(sql));
  }

  /** The copy belongs to its domain. */
  close(): void {}

  #statement(sql: string, prepare: (db: Connection) => Statement): Statement {
    const run = <Result>(work: (statement: Statement) => Result): Result =>
      this.#copy.read(this.#journal, sql, (db) => work(prepare(db)));
    return {
      get columns() {
        return run(({ columns }) => columns);
      },
      all: (parameters?: SqlParameters) => run((statement) => statement.all(parameters)),
      each: (parameters, visit) => run((statement) => statement.each(parameters, visit)),
      allFirst: (parameters) => run((statement) => statement.allFirst(parameters)),
      eachFirst: (parameters, visit) => run((statement) => statement.eachFirst(parameters, visit)),
    };
  }
}
