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
