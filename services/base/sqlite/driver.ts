import { createRequire } from 'node:module';

/** A value as SQLite stores it: integers are bigint, reals number, blobs bytes. */
export type SqlValue = bigint | number | string | Uint8Array | null;

/** Values by parameter name, without the colon. */
export type SqlParameters = Readonly<Record<string, SqlValue>>;

/** What rookery needs from an SQLite library, so that it can be replaced. Everything is synchronous. */
export interface Driver {
  /** A read-only connection. Throws SqliteError if the file is missing, not a database, or damaged. */
  open(file: string): Connection;
  /** A connection to a private copy, the only one to it. Throws SqliteError. */
  openWritable(file: string): WritableConnection;
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** The keywords for the current time, and what they give at `YYYY-MM-DD HH:MM:SS`. */
export const TIME_KEYWORDS: ReadonlyMap<string, (time: string) => string> = new Map([
  ['CURRENT_TIMESTAMP', (time) => time],
  ['CURRENT_DATE', (time) => time.slice(0, 10)],
  ['CURRENT_TIME', (time) => time.slice(11)],
]);

export interface Connection {
  /**
   * Prepares a statement that is kept as long as the connection: for a bounded set of texts, such as the endpoints of a
   * service. The same text returns the same statement. Throws SqliteError.
   */
  prepare(sql: string): Statement;
  /** Prepares a statement of open-ended text; only the latest few hundred are kept. Throws SqliteError. */
  prepareAdHoc(sql: string): Statement;
  close(): void;
}

/** A connection that may change its database. Statements are kept as long as the connection. */
export interface WritableConnection extends Connection {
  readonly inTransaction: boolean;
  exec(sql: string): void;
  /** Runs one statement with values by position; returns the number of rows changed. Throws SqliteError. */
  run(sql: string, values?: readonly SqlValue[]): number;
  rows(sql: string, values?: readonly SqlValue[]): SqlValue[][];
  /** Defines an SQL function that is called for its effect and returns NULL. */
  define(name: string, call: (...values: SqlValue[]) => void): void;
}

export interface Statement {
  readonly columns: readonly string[];
  /** Rows by position. Throws SqliteError. */
  all(parameters?: SqlParameters): SqlValue[][];
  /** Passes rows by position to `visit`, one at a time, until it returns false. Throws SqliteError. */
  each(parameters: SqlParameters, visit: (row: SqlValue[]) => boolean): void;
  /** The first column of every row. Throws SqliteError. */
  allFirst(parameters: SqlParameters): SqlValue[];
  /** Passes the first column of each row to `visit`, until it returns false. Throws SqliteError. */
  eachFirst(parameters: SqlParameters, visit: (value: SqlValue) => boolean): void;
}

/** An error of SQLite. `code` is its name, e.g. `SQLITE_NOTADB`. */
export class SqliteError extends Error {
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SqliteError';
    this.code = code;
  }
}

/** A statement from `jsonSql`, with everything needed to run it anywhere. */
export interface JsonQuery {
  readonly sql: string;
  readonly parameters: SqlParameters;
  readonly caps: RowCaps;
  /** False for the open-ended texts of tool plans, whose statements are not kept. */
  readonly keep: boolean;
  /** Whether it returns only a few rows, whatever the data. */
  readonly bounded?: boolean;
}

/** SQLite could not compute the answer for the given values: an overflow, or a pattern or text too long. */
export class QueryFailedError extends Error {
  constructor(cause: SqliteError) {
    super(cause.message, { cause });
    this.name = 'QueryFailedError';
  }
}

/** Error codes that depend on values, once a statement is prepared. */
export const VALUE_CODES: ReadonlySet<string> = new Set(
  'SQLITE_ERROR SQLITE_TOOBIG SQLITE_NOMEM SQLITE_MISMATCH SQLITE_RANGE'.split(' '),
);

export function runJsonQuery(connection: Connection, query: JsonQuery): JsonRows {
  const statement = query.keep ? connection.prepare(query.sql) : connection.prepareAdHoc(query.sql);
  try {
    return rowsAsJson(statement, query.parameters, query.caps, query.bounded);
  } catch (error) {
    if (error instanceof SqliteError && VALUE_CODES.has(error.code)) throw new QueryFailedError(error);
    throw error;
  }
}

export interface RowCaps {
  /** Rows before `offset` are dropped; those before `offset + maxRows` are read. */
  readonly offset?: number;
  readonly maxRows: number;
  /** Bytes of JSON text in UTF-8. */
  readonly maxBytes: number;
  /** Stops between two rows after this many milliseconds. */
  readonly budgetMs?: number;
}

/** Rows as the inside of a JSON array: `{…},{…}`. */
export interface JsonRows {
  readonly text: string;
  readonly count: number;
  readonly truncated: boolean;
}

/** The statement was abandoned between two rows because its time was up; its answer is unknown. */
export class BudgetSpentError extends Error {
  constructor(budgetMs: number) {
    super(`not done after ${budgetMs} ms`);
    this.name = 'BudgetSpentError';
  }
}

const ROWS_PER_LOOK_AT_THE_CLOCK = 16;

/**
 * Runs a statement from `jsonSql`. If it is known to have few rows (`isBounded`), it takes them all at once, in half
 * the time of one by one. Throws SqliteError, BudgetSpentError.
 */
export function rowsAsJson(
  statement: Pick<Statement, 'allFirst' | 'eachFirst'>,
  parameters: SqlParameters,
  caps: RowCaps,
  isBounded = false,
): JsonRows {
  const rows = new CappedRows(caps);
  if (isBounded) for (const row of statement.allFirst(parameters)) if (!rows.add(row as string)) break;
  if (!isBounded) statement.eachFirst(parameters, (row) => rows.add(row as string));
  const { text, count, truncated } = rows;
  return { text, count, truncated };
}

class CappedRows {
  text = '';
  count = 0;
  truncated = false;
  readonly #caps: RowCaps;
  readonly #began = performance.now();
  #seen = 0;
  #bytes = 0;

  constructor(caps: RowCaps) {
    this.#caps = caps;
  }

  /** Returns whether there is room for more. */
  add(row: string): boolean {
    const { offset = 0, maxRows, maxBytes, budgetMs } = this.#caps;
    if (this.#seen++ < offset) return true;
    this.#bytes += Buffer.byteLength(row) + 1;
    if (this.count === maxRows || this.#bytes > maxBytes) {
      this.truncated = true;
      return false;
    }
    this.text += this.count === 0 ? row : `,${row}`;
    this.count++;
    if (budgetMs !== undefined && this.#seen % ROWS_PER_LOOK_AT_THE_CLOCK === 0) {
      if (performance.now() - this.#began > budgetMs) throw new BudgetSpentError(budgetMs);
    }
    return true;
  }
}

const COLUMNS_PER_OBJECT = 500;

/**
 * The statement that returns each row of `sql` as one JSON object with the given keys, built by SQLite: faster than in
 * JavaScript, and any library with a recent SQLite returns the same bytes; 3.51 shortened reals. Integers keep all their
 * digits, reals have a point (`1.0`), blobs are upper-case hexadecimal, and an infinite real, which JSON cannot express,
 * is null.
 */
export function jsonSql(sql: string, keys: readonly string[]): string {
  const columns = keys.map((_, at) => `c${at}`);
  const objects: string[] = [];
  for (let start = 0; start < keys.length; start += COLUMNS_PER_OBJECT) {
    const pairs = keys
      .slice(start, start + COLUMNS_PER_OBJECT)
      .map((key, at) => `${textLiteral(key)}, ${jsonValue(`c${start + at}`)}`);
    objects.push(`json_object(${pairs.join(', ')})`);
  }
  // By position, since column names may differ only in case. Referenced once, so that SQLite plans the query as if it
  // stood alone. The line break ends a comment at the end of `sql`.
  return `WITH "-rows"(${columns.join(', ')}) AS (${sql}\n) SELECT ${joined(objects)} FROM "-rows"`;
}

/** The statement that returns the first column of each row of `sql` as one JSON value, by the rules of `jsonSql`. */
export function jsonValueSql(sql: string): string {
  return `WITH "-rows"(c0) AS (${sql}\n) SELECT json_quote(${jsonValue('c0')}) FROM "-rows"`;
}

function jsonValue(column: string): string {
  return (
    `CASE typeof(${column}) WHEN 'blob' THEN hex(${column}) ` +
    `WHEN 'real' THEN iif(abs(${column}) < 9e999, ${column}, NULL) ELSE ${column} END`
  );
}

function joined(objects: readonly string[]): string {
  if (objects.length === 1) return objects[0] as string;
  return `'{' || ${objects.map((object) => `substr(${object}, 2, length(${object}) - 2)`).join(` || ',' || `)} || '}'`;
}

function textLiteral(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Few enough rows to hold all at once before applying limits. */
const FEW_ROWS = 100;

/**
 * Whether a statement has only a few rows, whatever its parameters and the data. Detected by its ending, `LIMIT 5`, or
 * by its bytecode: a program that never jumps back across its ResultRow returns at most one row. In doubt, it counts as
 * unbounded. `parameters` are any valid ones. Throws SqliteError.
 */
export function isBounded(connection: Connection, sql: string, parameters: SqlParameters): boolean {
  const limit = /\sLIMIT (\d{1,9})$/.exec(sql)?.[1];
  if (limit !== undefined && Number(limit) <= FEW_ROWS) return true;
  return givesOneRow(connection.prepareAdHoc(`EXPLAIN ${sql}`).all(parameters));
}

/** Columns of EXPLAIN: address, opcode, and the target of a jump. */
const [ADDRESS, OPCODE, TARGET] = [0, 1, 3];
/** Opcodes that jump to an address in a register. */
const INDIRECT = new Set(['Return', 'Yield', 'EndCoroutine', 'InitCoroutine', 'Gosub', 'Jump', 'Program']);
/** Opcodes that never jump. All others are assumed to. */
const STRAIGHT = new Set(
  (
    'Halt Transaction Integer Int64 Real String8 Null Blob Variable Copy ' +
    'SCopy Function PureFunc Cast Close Noop'
  ).split(' '),
);

function givesOneRow(program: readonly (readonly SqlValue[])[]): boolean {
  const steps = program.map((step) => ({
    at: Number(step[ADDRESS]),
    does: String(step[OPCODE]),
    to: Number(step[TARGET]),
  }));
  const rows = steps.filter(({ does }) => does === 'ResultRow');
  const [row] = rows;
  if (row === undefined || rows.length > 1) return false;
  return steps.every(({ at, does, to }) => {
    if (INDIRECT.has(does)) return false;
    if (at <= row.at || STRAIGHT.has(does)) return true;
    // After setting up constants at the end, the program continues at its second step, once.
    return does === 'Goto' && to === 1 && at === steps.at(-1)?.at;
  });
}

const MIB = 1024 * 1024;
/** Node.js's own memory, with room for an answer. */
const OWN_MEGABYTES = 128;
const MOST_MEGABYTES = 640;

/**
 * Memory limit in megabytes of a child process that runs statements (`memoryMegabytes` of its pool), so that a
 * statement building ever larger values cannot starve the rest: a quarter of the container's memory, plus what Node.js
 * needs.
 */
export function statementMegabytes(constrained: number | undefined = process.constrainedMemory()): number {
  const quarter = constrained ? Math.floor(constrained / 4 / MIB) : MOST_MEGABYTES;
  return Math.min(MOST_MEGABYTES, OWN_MEGABYTES + quarter);
}

type Native = object & Record<string, unknown>;
const KEPT_RESULTS = ['prepare', 'backup', 'iterate'];

/** The objects kept in this process; empty until `keepObjects` has run. */
const kept = new Set<unknown>();

/**
 * Node.js 24 crashes when an object of better-sqlite3 12 is garbage-collected (nodejs/node#65446). Version 13 fixes that but
 * does not run on Node.js 20, so on Node.js 24 all objects are kept until the process ends. That costs little: closing a
 * database frees what its statements hold, and a finished statement is small.
 */
export function keepObjects(): void {
  if (kept.size > 0 || Number(process.versions.node.split('.')[0]) < 24) return;
  const Database = createRequire(import.meta.url)('better-sqlite3');
  const keepAllOf = (prototype: Native) => {
    for (const [name, { value: method }] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
      if (name === 'constructor' || typeof method !== 'function') continue;
      prototype[name] = function (this: unknown, ...args: unknown[]) {
        kept.add(this);
        const made = method.apply(this, args);
        if (KEPT_RESULTS.includes(name)) kept.add(made);
        return made;
      };
    }
  };
  const database = new Database(':memory:');
  const [inner] = Object.getOwnPropertySymbols(database).map((symbol) => database[symbol] as Native);
  if (inner === undefined) throw new Error('better-sqlite3 does not have the internals of version 12');
  const statement = database.prepare('SELECT 1');
  kept.add(inner).add(statement);
  keepAllOf(Object.getPrototypeOf(inner));
  keepAllOf(Object.getPrototypeOf(statement));
}
