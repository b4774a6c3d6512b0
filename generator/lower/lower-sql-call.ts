import { unlessQueryError } from '../../contracts/errors.ts';
import type { SqlCall } from '../../contracts/sample.ts';
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
  type Token,
  tokenize,
} from '../../sql/index.ts';

/**
 * The call that means the same as the SQL: rows of one table under conditions of its columns, read, deleted or given
 * plain values, or one row inserted. What its conditions spell is parsed again, and has to be the same query. Otherwise why
 * there is none, in a few words.
 */
export function lowerSqlCall(sql: string, context: SqlContext): SqlCall | string {
  const tokens = unlessQueryError(() => tokenize(sql)) ?? [];
  const [last] = tokens.slice(-1);
  if (last?.text === ';') return lowerSqlCall(sql.slice(0, last.start), context);
  if (tokens.some(({ kind, text }) => kind === 'operator' && text === ';')) return 'several statements';
  switch (tokens[0]?.upper) {
    case 'INSERT':
      return lowerInsert(tokens, context);
    case 'UPDATE':
      return lowerUpdate(sql, tokens, context);
    case 'DELETE': {
      const rows = lowerSelect(`SELECT * ${sql.slice(tokens[1]?.start)}`, context);
      return typeof rows === 'string' ? rows : { ...rows, keyword: 'DELETE' };
    }
    default:
      return lowerSelect(sql, context);
  }
}

/** `UPDATE table SET column = value, … WHERE …` */
function lowerUpdate(sql: string, tokens: readonly Token[], context: SqlContext): SqlCall | string {
  const at = (word: string) => tokens.findIndex(({ kind, upper }) => kind === 'word' && upper === word);
  const [set, where, from] = [at('SET'), at('WHERE'), at('FROM')];
  const end = where < 0 ? tokens.length : where;
  if (from > set && from < end) return 'several tables';
  const condition = where < 0 ? '' : sql.slice(tokens[where]?.start);
  const rows = lowerSelect(
    `SELECT * FROM ${sql.slice(tokens[1]?.start, tokens[set]?.start)} ${condition}`,
    context,
  );
  if (typeof rows === 'string') return rows;
  const given = splitAtCommas(tokens.slice(set + 1, end)).map(([name, equals, ...value]) => {
    const column = columnNamed(name, rows.table, context);
    const text = equals?.text === '=' ? valueText(value) : null;
    return column === undefined || text === null ? null : { column, text };
  });
  const assigned = given.filter((each) => each !== null);
  if (assigned.length < given.length) return 'a computed value';
  const [columns, values] = [assigned.map(({ column }) => column), assigned.map(({ text }) => text)];
  return { ...rows, keyword: 'UPDATE', columns, values, allColumns: false };
}

/** `INSERT INTO table (column, …) VALUES (value, …)` */
function lowerInsert(tokens: readonly Token[], context: SqlContext): SqlCall | string {
  const [, into, name, opening] = tokens;
  const closing = tokens.findIndex(({ text }) => text === ')');
  const [values, second] = tokens.slice(closing + 1);
  const last = tokens.at(-1);
  const table = context.catalog.tables.find((each) => each.name.toLowerCase() === name?.text.toLowerCase());
  if (into?.upper !== 'INTO' || table === undefined || opening?.text !== '(')
    return 'columns that are not named';
  if (values?.upper !== 'VALUES' || second?.text !== '(' || last?.text !== ')') return 'a computed value';
  const columns = splitAtCommas(tokens.slice(4, closing)).map(([column]) =>
    columnNamed(column, table.name, context),
  );
  const texts = splitAtCommas(tokens.slice(closing + 3, -1)).map(valueText);
  const known = columns.filter((column) => column !== undefined);
  const plain = texts.filter((text) => text !== null);
  if (known.length < columns.length || plain.length < texts.length || plain.length !== known.length)
    return 'a computed value';
  return {
    keyword: 'INSERT',
    table: table.name,
    columns: known,
    values: plain,
    conditions: [],
    allColumns: false,
  };
}

function splitAtCommas(tokens: readonly Token[]): Token[][] {
  const parts: Token[][] = [[]];
  for (const token of tokens) {
    if (token.kind === 'operator' && token.text === ',') parts.push([]);
    else parts.at(-1)?.push(token);
  }
  return parts;
}

function columnNamed(token: Token | undefined, table: string, { catalog }: SqlContext): string | undefined {
  const columns = catalog.tables.find(({ name }) => name === table)?.columns ?? [];
  return columns.find(({ name }) => name.toLowerCase() === token?.text.toLowerCase())?.name;
}

function valueText(tokens: readonly Token[]): string | null {
  const [first, second, ...more] = tokens;
  if (first?.text === '-' && second?.kind === 'number' && more.length === 0) return `-${second.text}`;
  if (first === undefined || second !== undefined) return null;
  const isPlain = first.kind === 'string' || first.kind === 'number' || first.upper === 'NULL';
  return isPlain ? first.text : null;
}

function lowerSelect(sql: string, context: SqlContext): SqlCall | string {
  const query = unlessQueryError(() => parseQuery(sql, context));
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
    const call: SqlCall = { keyword: 'SELECT', table, columns, allColumns, values: [], conditions };
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
  const spelled = unlessQueryError(() => parseQuery(sql, context));
  return spelled !== null && withoutNames(spelled) === withoutNames(query);
}

/** The query's text; names of its result columns do not change its rows. */
function withoutNames(query: Query): string {
  if (query.kind !== 'select') return printQuery(query);
  const columns = query.columns.map((column, i) => node({ ...column, alias: null, name: `c${i}` }));
  return printQuery(node({ ...query, columns: Object.freeze(columns) }));
}
