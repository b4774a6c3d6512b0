import Database from 'better-sqlite3';
import { type ColumnAffinity, declaredAffinity } from '../../../contracts/catalog.ts';
import { betterSqlite3 } from '../sqlite/better-sqlite3.ts';
import {
  type JsonRows,
  jsonSql,
  QueryFailedError,
  quoted,
  rowsAsJson,
  SqliteError,
  type SqlValue,
  VALUE_CODES,
} from '../sqlite/driver.ts';
import { Gazetteer, type PlaceSource, readPlaces } from './gazetteer.ts';
import {
  callKey,
  type GivenColumn,
  type GivenStatement,
  type GivenTable,
  type PrintedStatement,
  type RunReply,
  type RunRequest,
  type ScalarCall,
} from './messages.ts';
import { printStatement, readStatement } from './read-statement.ts';
import {
  type Api,
  type ApiRows,
  isList,
  outputsOf,
  readScalarInputs,
  rowsInSql,
  SCALAR_APIS,
} from './scalars.ts';

const MOST_MISSING = 20_000;

/**
 * Runs one SELECT on its own connection, which is closed afterwards. The given tables are temporary, the database is
 * read-only. Throws ArgumentError for an invalid statement, SqliteError, QueryFailedError, UnboundInputError.
 */
export function runInWorkspace(request: RunRequest): RunReply {
  const statement = printed(request.statement);
  const db = new Database(request.database, { readonly: true, fileMustExist: true });
  try {
    db.defaultSafeIntegers(true);
    db.pragma('trusted_schema = off');
    db.pragma('temp_store = memory');
    const missing = new Map<string, ScalarCall>();
    registerScalars(db, answersOf(request, missing));
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

function answersOf({ database, scalars }: RunRequest, missing: Map<string, ScalarCall>): ScalarAnswers {
  if ('known' in scalars) {
    const known = new Map(Object.entries(scalars.known));
    return (api, inputs) => {
      const read = readScalarInputs(api, inputs);
      if ('faults' in read || read.inputs === null) return [];
      const key = callKey(api.name, inputs);
      const rows = known.get(key);
      if (rows === undefined && missing.size < MOST_MISSING) missing.set(key, { api: api.name, inputs });
      return rows ?? [];
    };
  }
  return computedAnswers(database, scalars.places);
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
      allFirst: () => plucked.all() as SqlValue[],
      eachFirst(_parameters, visit) {
        for (const value of plucked.iterate()) if (!visit(value as SqlValue)) break;
      },
    },
    {},
    caps,
  );
}

function asKnownError(error: unknown): unknown {
  if (error instanceof UnboundInputError || !(error instanceof Database.SqliteError)) return error;
  const known = new SqliteError(error.code, error.message, { cause: error });
  return VALUE_CODES.has(error.code) ? new QueryFailedError(known) : known;
}

/** Creates a temporary table of rows, which shadows a database table of that name. */
export function createTable(db: Database.Database, { name, columns, rows }: GivenTable): void {
  db.exec(`CREATE TEMP TABLE ${quoted(name)} (${columns.map(columnOf).join(', ')})`);
  const holes = columns.map(() => '?').join(', ');
  const insert = db.prepare(`INSERT INTO temp.${quoted(name)} VALUES (${holes})`);
  db.transaction(() => {
    for (const row of rows) insert.run(row as unknown[]);
  })();
}

function columnOf({ name, declaredType, collation, isRowid }: GivenColumn): string {
  if (isRowid) return `${quoted(name)} INTEGER PRIMARY KEY`;
  const collate = collation === 'BINARY' ? '' : ` COLLATE ${quoted(collation)}`;
  return `${quoted(name)} ${TYPES[declaredAffinity(declaredType)]}${collate}`;
}

/** Only the affinity of the declared type matters. */
const TYPES: Readonly<Record<ColumnAffinity, string>> = {
  text: 'TEXT',
  numeric: 'NUMERIC',
  integer: 'INT',
  real: 'REAL',
  blob: 'BLOB',
};

/** Returns the rows of an API for positional inputs; none where it has no value. */
export type ScalarAnswers = (api: Api, inputs: readonly SqlValue[]) => ApiRows;

/** A virtual table was read without a value for one of its inputs. */
export class UnboundInputError extends Error {
  constructor(api: string, input: string) {
    super(`${api} is read without ${input}: join or compare it with a value`);
    this.name = 'UnboundInputError';
  }
}

/**
 * Registers the scalar APIs as functions, but for those of lists, and as virtual tables of the same names whose inputs
 * are columns that must be joined or compared. A database table shadows the virtual table of its name. Without
 * `directOnly`, views may use them too.
 */
export function registerScalars(db: Database.Database, answers: ScalarAnswers, directOnly = true): void {
  const taken = new Set(
    db
      .prepare<[], { name: string }>('SELECT lower(name) AS name FROM sqlite_schema')
      .all()
      .map(({ name }) => name),
  );
  for (const api of SCALAR_APIS) {
    const lookUp = (inputs: readonly SqlValue[]) => answers(api, inputs);
    const options = { deterministic: true, varargs: true, safeIntegers: true, directOnly };
    if (!isList(api))
      db.function(api.name, options, (...inputs: unknown[]) => lookUp(inputs as SqlValue[])[0]?.[0] ?? null);
    if (!taken.has(api.name)) db.table(api.name, { ...virtualTable(api, lookUp), directOnly });
  }
}

function virtualTable(api: Api, lookUp: (inputs: readonly SqlValue[]) => ApiRows) {
  return {
    columns: outputsOf(api).map(({ name }) => name),
    parameters: api.inputs.map(({ name }) => name),
    safeIntegers: true,
    *rows(...given: unknown[]): Generator<SqlValue[]> {
      // An unbound input is undefined. NULL never gets here, since it equals nothing.
      api.inputs.forEach(({ name, usual }, i) => {
        if (given[i] === undefined && usual === undefined) throw new UnboundInputError(api.name, name);
      });
      const inputs = given.map((value) => (value === undefined ? null : value) as SqlValue);
      const read = readScalarInputs(api, inputs);
      if ('faults' in read) return;
      for (const row of lookUp(inputs)) yield [...row];
    },
  };
}

/** Computes the answers of scalar APIs, with the places in the given tables of a database. */
export function computedAnswers(database: string, sources: readonly PlaceSource[]): ScalarAnswers {
  let places: Gazetteer | undefined;
  // Uses its own connection: a statement cannot start on a connection that is running a function.
  const readAll = () => {
    const connection = betterSqlite3.open(database);
    try {
      return new Gazetteer(readPlaces(connection, sources));
    } finally {
      connection.close();
    }
  };
  return (api, inputs) => {
    places ??= readAll();
    return rowsInSql(api, inputs, places);
  };
}
