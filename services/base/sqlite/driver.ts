/** A value as SQLite stores it: an integer is always a bigint, a real always a number, a blob bytes. */
export type SqlValue = bigint | number | string | Uint8Array | null;

/** Values by parameter name, without the colon. */
export type SqlParameters = Readonly<Record<string, SqlValue>>;

/**
 * All that rookery asks of a SQLite library, so that another one can take its place. Connections are
 * read-only; everything is synchronous.
 */
export interface Driver {
  /** Throws SqliteError when the file is missing, no database, or damaged. */
  open(file: string): Connection;
}

export interface Connection {
  /**
   * A statement that is kept as long as the connection: for a bounded set of texts, such as the endpoints
   * of a service. The same text gives the same statement. Throws SqliteError.
   */
  prepare(sql: string): Statement;
  /** A statement for open-ended texts: only some hundred of the latest are kept. Throws SqliteError. */
  prepareAdHoc(sql: string): Statement;
  close(): void;
}

export interface Statement {
  /** Names of the result columns. */
  readonly columns: readonly string[];
  /** Rows by position. Throws SqliteError. */
  all(parameters?: SqlParameters): SqlValue[][];
  /** Hands over rows by position one at a time, until `visit` answers false. Throws SqliteError. */
  each(parameters: SqlParameters, visit: (row: SqlValue[]) => boolean): void;
  /** The first column of every row. Throws SqliteError. */
  allFirst(parameters: SqlParameters): SqlValue[];
  /** Hands over the first column of each row, until `visit` answers false. Throws SqliteError. */
  eachFirst(parameters: SqlParameters, visit: (value: SqlValue) => boolean): void;
}

/** Anything SQLite refused: `code` is its name for the reason, e.g. `SQLITE_NOTADB`. */
export class SqliteError extends Error {
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SqliteError';
    this.code = code;
  }
}

/** A statement made by `jsonSql`, with all that is needed to run it anywhere. */
export interface JsonQuery {
  readonly sql: string;
  readonly parameters: SqlParameters;
  readonly caps: RowCaps;
  /** False for the open-ended texts of tool plans, whose statements are not kept for good. */
  readonly keep: boolean;
  /** Whether it can have a few rows at most, whatever the data. */
  readonly bounded?: boolean;
}

/** SQLite could not compute the answer for the given values: an overflow, a pattern or text too long. */
export class QueryFailedError extends Error {
  constructor(cause: SqliteError) {
    super(cause.message, { cause });
    this.name = 'QueryFailedError';
  }
}

/** Codes that depend on values, once a statement has been prepared. */
const VALUE_CODES = new Set([
  'SQLITE_ERROR',
  'SQLITE_TOOBIG',
  'SQLITE_NOMEM',
  'SQLITE_MISMATCH',
  'SQLITE_RANGE',
]);

/** Runs a query on a connection. Throws QueryFailedError, BudgetSpentError, SqliteError. */
export function runJsonQuery(connection: Connection, query: JsonQuery): JsonRows {
  const statement = query.keep ? connection.prepare(query.sql) : connection.prepareAdHoc(query.sql);
  try {
    return rowsAsJson(statement, query.parameters, query.caps, query.bounded);
  } catch (error) {
    if (error instanceof SqliteError && VALUE_CODES.has(error.code)) throw new QueryFailedError(error);
    throw error;
  }
}

/** How much of an answer is kept, and how long the caller can wait for it. */
export interface RowCaps {
  /** Rows before `offset + maxRows` are counted through, those before `offset` are dropped. */
  readonly offset?: number;
  readonly maxRows: number;
  /** Bytes of JSON text in UTF-8. */
  readonly maxBytes: number;
  /** Gives up between two rows once this many milliseconds have passed. */
  readonly budgetMs?: number;
}

/** Rows as the inside of a JSON array: `{…},{…}`. */
export interface JsonRows {
  readonly text: string;
  readonly count: number;
  /** True when a cap left rows out. */
  readonly truncated: boolean;
}

/** The statement was left between two rows because its time was up; nothing is known of its answer. */
export class BudgetSpentError extends Error {
  constructor(budgetMs: number) {
    super(`not done after ${budgetMs} ms`);
    this.name = 'BudgetSpentError';
  }
}

const ROWS_PER_LOOK_AT_THE_CLOCK = 16;

/**
 * Runs a statement made by `jsonSql`. Of one that can have few rows only (`isBounded`) they are taken all at once, in
 * half the time of one by one. Throws SqliteError, BudgetSpentError.
 */
export function rowsAsJson(
  statement: Statement,
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

/** Rows as they are put together, up to the caps. */
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

  /** Whether there may be more. */
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

/** SQLite takes at most 1,000 arguments in a call, two a column here. */
const COLUMNS_PER_OBJECT = 500;

/**
 * The statement that gives each row of `sql` as one JSON object with the given keys, made inside SQLite:
 * faster than building the text in JavaScript, and any library that runs the statement answers the same
 * bytes. Integers keep all their digits, a real always shows as one (`1.0`), a blob is upper-case hex, and
 * an infinite real, which JSON cannot write, is null.
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
  // By position, since result columns may differ in case only. Referenced once, so SQLite plans the query as
  // if it stood alone. The line break ends a comment at the end of `sql`.
  return `WITH "-rows"(${columns.join(', ')}) AS (${sql}\n) SELECT ${joined(objects)} FROM "-rows"`;
}

/** The statement that gives the first column of each row of `sql` as one JSON value, by the rules of `jsonSql`. */
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

/** So few rows that they can be held at once before anything is capped. */
const FEW_ROWS = 100;

/**
 * Whether a statement can have a few rows at most, whatever its parameters and the data. It is told by its last words,
 * `LIMIT 5`, or by SQLite's program for it: a program that never jumps back over the place where it gives a row gives
 * one row at most. What cannot be told counts as unbounded. `parameters` are any that the statement takes. Throws SqliteError.
 */
export function isBounded(connection: Connection, sql: string, parameters: SqlParameters): boolean {
  const limit = /\sLIMIT (\d{1,9})$/.exec(sql)?.[1];
  if (limit !== undefined && Number(limit) <= FEW_ROWS) return true;
  return givesOneRow(connection.prepareAdHoc(`EXPLAIN ${sql}`).all(parameters));
}

/** Columns of EXPLAIN: the place of a step, what it does, and, of those that jump, where to. */
const [ADDRESS, OPCODE, TARGET] = [0, 1, 3];
/** Steps that jump to wherever a register says. */
const INDIRECT = new Set(['Return', 'Yield', 'EndCoroutine', 'InitCoroutine', 'Gosub', 'Jump', 'Program']);
/** Steps that only make values, and the end. Of any other one it is assumed that it jumps. */
const STRAIGHT = new Set([
  'Halt',
  'Transaction',
  'Integer',
  'Int64',
  'Real',
  'String8',
  'Null',
  'Blob',
  'Variable',
  'Copy',
  'SCopy',
  'Function',
  'PureFunc',
  'Cast',
  'Close',
  'Noop',
]);

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
    // After the constants have been made, at the end, the program begins at its second step; once.
    return does === 'Goto' && to === 1 && at === steps.at(-1)?.at;
  });
}

const MIB = 1024 * 1024;
/** What Node.js itself allocates, with room for an answer. */
const OWN_MEGABYTES = 128;
const MOST_MEGABYTES = 640;

/**
 * Megabytes for a child process that runs statements (`memoryMegabytes` of its pool), so that one which builds ever
 * larger values takes no memory from anything else: a quarter of what the container has, beside what Node.js needs.
 */
export function statementMegabytes(constrained: number | undefined = process.constrainedMemory()): number {
  const quarter = constrained ? Math.floor(constrained / 4 / MIB) : MOST_MEGABYTES;
  return Math.min(MOST_MEGABYTES, OWN_MEGABYTES + quarter);
}
