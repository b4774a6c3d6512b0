import Database from 'better-sqlite3';
import { readScalarInputs } from '../scalars/read-scalar-inputs.ts';
import type { SqlValue } from '../sqlite/driver.ts';
import { SqliteError } from '../sqlite/driver.ts';
import { QueryFailedError } from '../sqlite/json-query.ts';
import { jsonSql } from '../sqlite/json-sql.ts';
import { limitHeap } from '../sqlite/limit-heap.ts';
import { type JsonRows, rowsAsJson } from '../sqlite/rows-as-json.ts';
import { callKey } from './call-key.ts';
import { computedValues } from './computed-values.ts';
import { createTable } from './create-table.ts';
import type { GivenStatement, PrintedStatement, RunReply, RunRequest, ScalarCall } from './messages.ts';
import { printStatement, readStatement } from './read-statement.ts';
import { registerScalars, type ScalarValues, UnboundInputError } from './register-scalars.ts';

/** Calls that one attempt reports as missing, at most. */
const MOST_MISSING = 20_000;

/**
 * Runs one SELECT on a connection of its own, that is closed afterwards: the given tables are temporary, the database is
 * only read. Throws ArgumentError for a statement that cannot be read, SqliteError, QueryFailedError, UnboundInputError.
 */
export function runInWorkspace(request: RunRequest): RunReply {
  const statement = printed(request.statement);
  const db = new Database(request.database, { readonly: true, fileMustExist: true });
  try {
    limitHeap(db);
    db.defaultSafeIntegers(true);
    db.pragma('trusted_schema = off');
    db.pragma('temp_store = memory');
    const missing = new Map<string, ScalarCall>();
    registerScalars(db, valuesOf(request, missing));
    for (const table of request.tables) createTable(db, table);
    db.pragma('query_only = on');
    const reply = answer(db, statement, request);
    return missing.size > 0 ? { kind: 'missing', calls: [...missing.values()] } : reply;
  } catch (error) {
    throw asKnownError(error);
  } finally {
    db.close();
  }
}

function valuesOf({ database, scalars }: RunRequest, missing: Map<string, ScalarCall>): ScalarValues {
  if ('known' in scalars) {
    const known = new Map(Object.entries(scalars.known));
    return (api, inputs) => {
      const read = readScalarInputs(api, inputs);
      if ('faults' in read || read.inputs === null) return null;
      const key = callKey(api.name, inputs);
      const value = known.get(key);
      if (value === undefined && missing.size < MOST_MISSING) missing.set(key, { api: api.name, inputs });
      return value;
    };
  }
  return computedValues(database, scalars.places);
}

function printed(statement: GivenStatement | PrintedStatement): PrintedStatement {
  if (!('scope' in statement)) return statement;
  const read = readStatement(statement.sql, statement.scope);
  return { sql: printStatement(read), columns: read.columns };
}

function answer(
  db: Database.Database,
  { sql, columns }: PrintedStatement,
  { caps, raw }: RunRequest,
): RunReply {
  if (!raw) return { kind: 'rows', columns, rows: jsonRows(db.prepare(jsonSql(sql, columns)), caps) };
  const values: SqlValue[][] = [];
  for (const row of db.prepare(sql).raw(true).iterate()) {
    if (values.length === caps.maxRows) return { kind: 'values', values, truncated: true };
    values.push(row as SqlValue[]);
  }
  return { kind: 'values', values, truncated: false };
}

function jsonRows(statement: Database.Statement, caps: RunRequest['caps']): JsonRows {
  const plucked = statement.pluck(true);
  return rowsAsJson(
    {
      columns: [],
      all: () => [],
      each: () => {},
      allFirst: () => plucked.all() as SqlValue[],
      eachFirst(_parameters, visit) {
        for (const value of plucked.iterate()) if (!visit(value as SqlValue)) break;
      },
    },
    {},
    caps,
  );
}

/** Codes that depend on values, once a statement has been prepared. */
const VALUE_CODES = new Set([
  'SQLITE_TOOBIG',
  'SQLITE_NOMEM',
  'SQLITE_MISMATCH',
  'SQLITE_RANGE',
  'SQLITE_ERROR',
]);

function asKnownError(error: unknown): unknown {
  if (error instanceof UnboundInputError || !(error instanceof Database.SqliteError)) return error;
  const known = new SqliteError(error.code, error.message, { cause: error });
  return VALUE_CODES.has(error.code) ? new QueryFailedError(known) : known;
}
