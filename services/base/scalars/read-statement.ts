import type { Catalog } from '../../../contracts/catalog.ts';
import { QueryError } from '../../../contracts/errors.ts';
import { didYouMean, nearestNames } from '../../../contracts/wording.ts';
import { exprsOf, outputNames, parseQuery, printQuery, type Query } from '../../../sql/index.ts';
import { type ArgumentError, fieldError } from '../arguments.ts';

/** Names that a caller's statement may use. */
export interface StatementScope {
  readonly catalog: Catalog;
  readonly referenceTime: string;
  /** Functions besides the built-in ones. */
  readonly functions: ReadonlySet<string>;
}

/** A statement that uses only permitted names. */
export interface ReadStatement {
  readonly query: Query;
  readonly columns: readonly string[];
}

const MOST_CHARACTERS = 20_000;
const MOST_LEVELS = 60;
const MOST_COLUMNS = 2000;

/**
 * Parses and binds a caller's SELECT with our own front end. What runs is printed from there, so that no name means
 * anything but what it is bound to. Throws ArgumentError with the field `sql` and the nearest names. A few names can
 * expand to millions of columns, so call this only where it can be stopped.
 */
export function readStatement(sql: string, scope: StatementScope): ReadStatement {
  if (typeof sql !== 'string' || sql.trim() === '')
    throw wrong('missing', 'sql must be a SELECT statement of SQLite');
  if (sql.length > MOST_CHARACTERS)
    throw wrong('out_of_range', `sql has at most ${MOST_CHARACTERS} characters`);
  if (levelsOf(sql) > MOST_LEVELS)
    throw wrong('out_of_range', `sql is nested at most ${MOST_LEVELS} levels deep`);
  const query = parse(sql, scope);
  const columns = outputNames(query);
  if (columns.length > MOST_COLUMNS)
    throw wrong('out_of_range', `a result has at most ${MOST_COLUMNS} columns`);
  for (const expr of exprsOf(query)) {
    if (expr.kind !== 'call' && expr.kind !== 'aggregate' && expr.kind !== 'window') continue;
    if (!ALLOWED_FUNCTIONS.has(expr.name) && !scope.functions.has(expr.name))
      throw unknownFunction(expr.name, scope);
  }
  return { query, columns };
}

export function printStatement({ query, columns }: ReadStatement): string {
  return printQuery(query, { outputNames: columns });
}

function parse(sql: string, scope: StatementScope): Query {
  try {
    return parseQuery(sql, scope);
  } catch (error) {
    if (!(error instanceof QueryError)) throw wrong('not_parsed', 'sql cannot be read');
    const names = scope.catalog.tables.flatMap(({ name, columns }) => [
      name,
      ...columns.map((each) => each.name),
    ]);
    const clause = error.clause?.split('.').at(-1) ?? '';
    const suggestions = error.code === 'SQL_NOT_BOUND' ? nearestNames(clause, new Set(names)) : [];
    const message = `${error.message}${didYouMean(suggestions)}`;
    throw wrong(error.code.toLowerCase().replace('sql_', ''), message, suggestions);
  }
}

function unknownFunction(name: string, { functions }: StatementScope): ArgumentError {
  const suggestions = nearestNames(name, [...ALLOWED_FUNCTIONS, ...functions]);
  return wrong(
    'not_bound',
    `no function is called ${name.slice(0, 64)}${didYouMean(suggestions)}`,
    suggestions,
  );
}

function wrong(code: string, message: string, suggestions?: readonly string[]): ArgumentError {
  return fieldError('sql', code, message, suggestions?.length ? suggestions : undefined);
}

function levelsOf(sql: string): number {
  let depth = 0;
  let most = 0;
  for (const character of sql) {
    if (character === '(') most = Math.max(most, ++depth);
    else if (character === ')') depth--;
  }
  return most;
}

/**
 * The functions that a caller's statement may call. Excluded are those that read files, settings or program state, and
 * those that build values of unbounded size.
 */
export const ALLOWED_FUNCTIONS: ReadonlySet<string> = new Set(
  [
    // values
    'abs ceil ceiling coalesce floor glob ifnull instr length like likelihood likely lower ltrim max min mod nullif octet_length',
    'replace round rtrim sign substr substring trim trunc typeof unicode unlikely upper hex quote soundex char concat concat_ws',
    'acos acosh asin asinh atan atan2 atanh cos cosh degrees exp ln log log10 log2 pi pow power radians sin sinh sqrt tan tanh',
    // dates and times
    'date datetime julianday strftime time timediff unixepoch',
    // JSON
    'json json_array json_array_length json_extract json_object json_quote json_type json_valid',
    // aggregates
    'avg count group_concat json_group_array json_group_object median percentile percentile_cont percentile_disc string_agg sum',
    'total',
    // window functions
    'cume_dist dense_rank first_value lag last_value lead nth_value ntile percent_rank rank row_number',
  ].flatMap((line) => line.split(' ')),
);
