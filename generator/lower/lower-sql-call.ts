import { QueryError } from '../../contracts/errors.ts';
import {
  conjuncts,
  type Expr,
  node,
  parseQuery,
  printExpr,
  printQuery,
  type Query,
  quoteIdentifier,
  type SqlContext,
} from '../../sql/index.ts';

/** A SELECT as the arguments of BFCL's function `sql.execute`. */
export interface SqlCall {
  readonly table: string;
  readonly columns: readonly string[];
  /** Whether these are all columns of the table, in order: `*`. */
  readonly allColumns: boolean;
  /** All of them hold. */
  readonly conditions: readonly string[];
}

/**
 * The call that means the same as the SQL: rows of one table under conditions of its columns. What its arguments spell is
 * parsed again, and has to be the same query. Otherwise why there is none, in a few words.
 */
export function lowerSqlCall(sql: string, context: SqlContext): SqlCall | string {
  const query = tryParse(sql, context);
  if (query === null) return 'SQL that is not understood';
  if (query.kind !== 'select') return 'a set operation';
  const { from, where, orderBy, limit } = query;
  const [item, ...joined] = from;
  if (joined.length > 0) return 'several tables';
  if (item?.source.kind !== 'table' || query.with.length > 0) return 'no table of its own';
  if (query.groupBy.length > 0 || query.having !== null) return 'groups';
  if (orderBy.length > 0 || limit !== null) return 'an order or a limit';
  if (query.distinct) return 'DISTINCT';
  const columns = query.columns.flatMap(({ expr }) => (expr.kind === 'column' ? [expr.name] : []));
  if (columns.length < query.columns.length) return 'a computed column';
  if (!conjuncts(where).every(isPlain)) return 'a condition that is more than a column and values';
  const { table } = item.source;
  const all = context.catalog.tables.find(({ name }) => name === table)?.columns ?? [];
  const allColumns = columns.join('\0') === all.map(({ name }) => name).join('\0');
  for (const nameOf of [(name: string) => name, quoteIdentifier]) {
    const conditions = conjuncts(where).map((each) => conditionText(each, nameOf));
    const call = { table, columns, allColumns, conditions };
    if (means(call, query, context)) return call;
  }
  return 'names or values that SQL reads otherwise';
}

function isPlain(expr: Expr): boolean {
  switch (expr.kind) {
    case 'compare':
      return [expr.left, expr.right].every(isOperand) && [expr.left, expr.right].some(isColumn);
    case 'between':
      return isColumn(expr.expr) && [expr.low, expr.high].every(isOperand);
    case 'like':
      return isColumn(expr.expr) && isOperand(expr.pattern) && expr.escape === null;
    case 'in_list':
      return isColumn(expr.expr) && expr.items.every(isOperand);
    case 'is_null':
      return isColumn(expr.expr);
    default:
      return false;
  }
}

function isColumn({ kind }: Expr): boolean {
  return kind === 'column';
}

/** A column or a value; a sign is part of a number. "Now" is no value: a caller would write another. */
function isOperand(expr: Expr): boolean {
  if (expr.kind === 'unary') return expr.op === '-' && isOperand(expr.expr);
  return expr.kind === 'literal' ? !expr.pinned : isColumn(expr);
}

function conditionText(expr: Expr, nameOf: (name: string) => string): string {
  return printExpr(expr, { expr: (inner) => (inner.kind === 'column' ? nameOf(inner.name) : null) });
}

function means({ table, columns, conditions }: SqlCall, query: Query, context: SqlContext): boolean {
  const where = conditions.length > 0 ? ` WHERE ${conditions.join(' AND ')}` : '';
  const sql = `SELECT ${columns.map(quoteIdentifier).join(', ')} FROM ${quoteIdentifier(table)}${where}`;
  const spelled = tryParse(sql, context);
  return spelled !== null && withoutNames(spelled) === withoutNames(query);
}

function tryParse(sql: string, context: SqlContext): Query | null {
  try {
    return parseQuery(sql, context);
  } catch (error) {
    if (error instanceof QueryError) return null;
    throw error;
  }
}

/** The query's text; names of its result columns do not change its rows. */
function withoutNames(query: Query): string {
  if (query.kind !== 'select') return printQuery(query);
  const columns = query.columns.map((column, i) => node({ ...column, alias: null, name: `c${i}` }));
  return printQuery(node({ ...query, columns: Object.freeze(columns) }));
}
