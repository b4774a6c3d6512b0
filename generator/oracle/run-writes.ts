import { statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { QueryError } from '../../contracts/errors.ts';
import type { SqlValue } from '../../services/base/sqlite/driver.ts';
import { openCopy, type RowChange, type RowValues, rowKey } from '../../services/base/sqlite/private-copy.ts';
import { quoteIdentifier, type Token, tokenize } from '../../sql/index.ts';
import { openUnsafely, prepareNative, readImage, runNative, storedTables } from './engines.ts';
import { pinSchema, pinTime, requote } from './gold-sql.ts';
import type { OracleLimits, WritesAnswer } from './oracle.ts';

/** A database is copied, and compared as a whole. */
export const MOST_BYTES = 1024 * 1024 * 1024;
const MOST_BYTES_IN_MEMORY = 64 * 1024 * 1024;

export interface RunWritesOptions {
  readonly referenceTime: string;
  readonly limits: OracleLimits;
  /** Visits unsorted rows in the opposite order, to show what SQL leaves open. */
  readonly reversed?: boolean;
  /** The most new or changed rows, and the most deleted rows, that are read of each table. */
  readonly atMost?: number | undefined;
}

/**
 * A copy of a database, in memory unless it is large, on which SQLite itself runs statements; afterwards the rows are
 * compared with those of the file, and everything is undone.
 */
export class WritesDatabase {
  readonly #db: Database.Database;
  readonly #tables: readonly ComparedTable[];
  /** Whether a statement can change tables that it does not name: by triggers, or by actions of foreign keys. */
  readonly #spreads: boolean;
  readonly #checksLate: boolean;

  constructor(file: string, referenceTime: string) {
    this.#db =
      statSync(file).size > MOST_BYTES_IN_MEMORY
        ? openCopy(file, openUnsafely)
        : new Database(readImage(file));
    pinSchema(this.#db, referenceTime);
    this.#db.prepare('ATTACH ? AS start').run(file);
    this.#db.pragma(`foreign_keys = ${hasSoundKeys(this.#db) ? 'on' : 'off'}`);
    this.#tables = tablesOf(this.#db);
    const schema = this.#db
      .prepare("SELECT coalesce(sql, '') FROM main.sqlite_schema")
      .pluck()
      .all()
      .join('\n');
    this.#spreads = /\bTRIGGER\b|\bON\s+(DELETE|UPDATE)\b/i.test(schema);
    this.#checksLate = /\bDEFERRED\b/i.test(schema);
  }

  /** Runs statements as one transaction. Throws QueryError SQL_NOT_EXECUTABLE. */
  run(
    statements: readonly string[],
    { referenceTime, limits, reversed = false, atMost = -1 }: RunWritesOptions,
  ): WritesAnswer {
    const db = this.#db;
    db.pragma(`reverse_unordered_selects = ${reversed ? 'on' : 'off'}`);
    const strays = this.#strays();
    let answer: WritesAnswer['answer'] = null;
    db.exec('BEGIN');
    try {
      for (const [at, statement] of statements.entries()) {
        const { sql } = pinTime(
          requote(statement, (text) => this.#errorOf(text)),
          referenceTime,
        );
        const unclear = this.#unclearIn(sql);
        if (unclear !== null) return { ...NOTHING, refused: null, unclear };
        const isLast = at === statements.length - 1;
        const query = isLast && isQuery(statement) ? prepareNative(db, sql) : null;
        if (query instanceof Error) throw query;
        if (query) answer = runNative(query, limits);
        else this.#runOne(sql);
      }
      if (this.#strays() !== strays) return { ...NOTHING, refused: 'FOREIGN KEY constraint failed' };
      return { changes: this.#changes(statements, atMost), answer, refused: null, unclear: null };
    } catch (error) {
      if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_CONSTRAINT'))
        return { ...NOTHING, refused: error.message };
      if (error instanceof Database.SqliteError || error instanceof TypeError || error instanceof RangeError)
        throw new QueryError('SQL_NOT_EXECUTABLE', error.message);
      throw error;
    } finally {
      // SQLite itself may have rolled back.
      if (db.inTransaction) db.exec('ROLLBACK');
    }
  }

  close(): void {
    this.#db.close();
  }

  /** Rows that refer to nothing; only a transaction's end would refuse them. */
  #strays(): string {
    if (!this.#checksLate) return '';
    return JSON.stringify(this.#db.prepare('PRAGMA main.foreign_key_check').raw().all());
  }

  #errorOf(sql: string): string | null {
    try {
      this.#db.prepare(sql);
      return null;
    } catch (error) {
      return (error as Error).message;
    }
  }

  #runOne(sql: string): void {
    const statement = this.#db.prepare(sql);
    if (statement.reader) statement.all();
    else statement.run();
  }

  #unclearIn(sql: string): string | null {
    for (const subquery of valueSubqueries(sql)) {
      try {
        const counted = `SELECT count(*) FROM (SELECT 1 FROM (${subquery}) LIMIT 2)`;
        if (Number(this.#db.prepare(counted).pluck().get()) !== 1) return subquery;
      } catch (error) {
        // One that refers to the row around it cannot run alone.
        if (!(error instanceof Database.SqliteError)) throw error;
      }
    }
    return null;
  }

  /** Compares all tables that the statements can have changed. */
  #changes(statements: readonly string[], atMost: number): RowChange[] {
    const written = new Set(statements.flatMap(writtenBy));
    return this.#tables
      .filter(({ name }) => this.#spreads || written.has(name.toLowerCase()))
      .flatMap((table) => this.#changesOf(table, atMost));
  }

  #changesOf({ name, columns, id, sql }: ComparedTable, atMost: number): RowChange[] {
    const { unlike, gone } = sql;
    const rows = (text: string) =>
      this.#db.prepare(text).raw().safeIntegers(true).all(atMost) as SqlValue[][];
    const row = (values: readonly SqlValue[]): RowValues =>
      Object.fromEntries(columns.map((column, at) => [column, values[at] ?? null]));
    const width = id.length + columns.length;
    return [
      ...rows(unlike).map((values): RowChange => {
        const isNew = values[2 * width] === 1n;
        return {
          table: name,
          id: values.slice(0, id.length),
          key: [],
          before: isNew ? null : row(values.slice(width + id.length, 2 * width)),
          after: row(values.slice(id.length, width)),
        };
      }),
      ...rows(gone).map((values): RowChange => {
        return {
          table: name,
          id: values.slice(0, id.length),
          key: [],
          before: row(values.slice(id.length)),
          after: null,
        };
      }),
    ].sort((a, b) => (rowKey(name, a.id) < rowKey(name, b.id) ? -1 : 1));
  }
}

/** Words of a statement, in lower case, among which are the names of the tables that it changes. */
function writtenBy(statement: string): string[] {
  const tokens = tokenize(statement);
  return tokens.flatMap(({ kind, upper }, at) => {
    if (kind !== 'word' || !/^(INTO|UPDATE|DELETE)$/.test(upper)) return [];
    // `UPDATE OR IGNORE t`, `DELETE FROM main.t`
    return tokens.slice(at + 1, at + 6).map(({ text }) => text.toLowerCase());
  });
}

const NOTHING = { changes: [], answer: null, unclear: null };

function isQuery(statement: string): boolean {
  const words = new Set(['INSERT', 'UPDATE', 'DELETE', 'REPLACE']);
  return !tokenize(statement).some(({ kind, upper }, at, all) => {
    return kind === 'word' && words.has(upper) && all[at + 1]?.text !== '(';
  });
}

/** Words before a subquery that stands for rows rather than for a value. */
const BEFORE_ROWS = new Set([
  'IN',
  'EXISTS',
  'FROM',
  'JOIN',
  'AS',
  'MATERIALIZED',
  'UNION',
  'ALL',
  'EXCEPT',
  'INTERSECT',
]);
/** Functions and tests for which a missing row is a case of its own. */
const EXPECTS_NONE = new Set(['COALESCE', 'IFNULL', 'IS', 'ISNULL', 'NOTNULL']);

/** The text of each subquery in the place of a value. */
function valueSubqueries(sql: string): string[] {
  const tokens = tokenize(sql);
  const open: { readonly at: number; readonly isRows: boolean }[] = [];
  const found: string[] = [];
  tokens.forEach((token, at) => {
    if (token.kind !== 'operator') return;
    if (token.text === '(') open.push({ at, isRows: BEFORE_ROWS.has(tokens[at - 1]?.upper ?? '') });
    if (token.text !== ')') return;
    const opened = open.pop();
    if (!opened || opened.isRows || tokens[opened.at + 1]?.upper !== 'SELECT') return;
    const before = tokens[opened.at - 1];
    const around = [
      tokens[at + 1],
      before?.text === '(' || before?.text === ',' ? functionAround(tokens, open) : before,
    ];
    if (around.some((each) => EXPECTS_NONE.has(each?.upper ?? ''))) return;
    if (isAlias(tokens[at + 1])) return;
    found.push(sql.slice((tokens[opened.at] as Token).end, token.start));
  });
  return found;
}

function functionAround(
  tokens: readonly Token[],
  open: readonly { readonly at: number }[],
): Token | undefined {
  const around = open.at(-1);
  return around && tokens[around.at - 1];
}

/** A subquery in a list of FROM has a name of its own. */
function isAlias(token: Token | undefined): boolean {
  return token?.kind === 'quoted' || (token?.kind === 'word' && !AFTER_VALUE.has(token.upper));
}

const AFTER_VALUE = new Set(
  'WHERE AND OR FROM GROUP ORDER LIMIT RETURNING ON THEN ELSE WHEN END BETWEEN IN LIKE NOT ASC DESC UNION EXCEPT INTERSECT COLLATE'.split(
    ' ',
  ),
);

/** As services do: a foreign key that refers to nothing unique switches them off, since it fails every write. */
function hasSoundKeys(db: Database.Database): boolean {
  try {
    db.pragma('foreign_key_check');
    return true;
  } catch {
    return false;
  }
}

interface ComparedTable {
  readonly name: string;
  readonly columns: readonly string[];
  readonly id: readonly string[];
  /** Rows that are new or another one, and rows that are gone. */
  readonly sql: { readonly unlike: string; readonly gone: string };
}

function tablesOf(db: Database.Database): ComparedTable[] {
  return storedTables(db).map(({ name, columns: all, identity: id }) => {
    const columns = all.filter(({ hidden }) => hidden === 0).map((column) => column.name);
    return { name, columns, id, sql: comparing(name, columns, id) };
  });
}

function comparing(name: string, columns: readonly string[], id: readonly string[]): ComparedTable['sql'] {
  const list = (side: string) =>
    [...id, ...columns].map((each) => `${side}.${quoteIdentifier(each)}`).join(', ');
  const table = quoteIdentifier(name);
  const same = id.map((each) => `a.${quoteIdentifier(each)} = b.${quoteIdentifier(each)}`).join(' AND ');
  const unlike = columns.map((each) => {
    const column = quoteIdentifier(each);
    return `a.${column} COLLATE BINARY IS NOT b.${column} OR typeof(a.${column}) <> typeof(b.${column})`;
  });
  const isNew = `b.${quoteIdentifier(id[0] ?? '')} IS NULL`;
  return {
    unlike: `SELECT ${list('a')}, ${list('b')}, ${isNew} FROM main.${table} AS a LEFT JOIN start.${table} AS b ON ${same} WHERE ${[isNew, ...unlike].join(' OR ')} LIMIT ?`,
    gone: `SELECT ${list('b')} FROM start.${table} AS b WHERE NOT EXISTS (SELECT 1 FROM main.${table} AS a WHERE ${same}) LIMIT ?`,
  };
}
