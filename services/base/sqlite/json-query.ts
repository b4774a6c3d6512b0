import type { Connection, SqlParameters } from './driver.ts';
import { SqliteError } from './driver.ts';
import { type JsonRows, type RowCaps, rowsAsJson } from './rows-as-json.ts';

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
