import { node } from '../ir/build.ts';
import type { Cte, Expr, FromItem, Limit, Literal, OrderTerm, Query, Select, Source } from '../ir/nodes.ts';
import { LOOSEST, printExpr } from './print-expr.ts';
import { quoteIdentifier } from './quote.ts';

/** Overrides for printing parts of a query. */
export interface PrintOptions {
  /** Text in place of a literal (`:county_name`), or null to print the literal. Literals are compared by identity. */
  readonly literal?: (literal: Literal) => string | null;
  /** Text in place of a whole expression, or null to print it. */
  readonly expr?: (expr: Expr) => string | null;
  /** Names of the outermost result columns, by position. */
  readonly outputNames?: readonly string[];
}

/** Prints a query as SQL for SQLite. Without options it returns exactly the rows of the query it was bound from. */
export function printQuery(query: Query, options: PrintOptions = {}): string {
  return print(query, options, options.outputNames ?? null);
}

/** Prints a subquery, its columns named so that they can be read from outside when `named`. */
export function printSubquery(query: Query, options: PrintOptions, named: boolean): string {
  return print(query, options, named ? namesOf(query) : null);
}

function namesOf(query: Query): readonly string[] | null {
  if (query.kind === 'select') return query.columns.map((column) => column.name);
  return query.kind === 'set_operation' ? namesOf(query.left) : null;
}

function print(query: Query, options: PrintOptions, names: readonly string[] | null): string {
  const clauses = [printWith(query.with, options)];
  switch (query.kind) {
    case 'select':
      clauses.push(printSelect(query, options, names));
      break;
    case 'set_operation':
      clauses.push(
        printOperand(query.left, options, names),
        SET_OPERATORS[query.op],
        printOperand(query.right, options, null),
      );
      break;
    case 'values':
      clauses.push(
        `VALUES ${query.rows.map((row) => `(${row.map((cell) => printExpr(cell, options)).join(', ')})`).join(', ')}`,
      );
      break;
  }
  if (query.kind !== 'values')
    clauses.push(printOrder(query.orderBy, options), printLimit(query.limit, options));
  return clauses.filter((clause) => clause !== '').join(' ');
}

const SET_OPERATORS = {
  union: 'UNION',
  union_all: 'UNION ALL',
  intersect: 'INTERSECT',
  except: 'EXCEPT',
} as const;

/** SQLite takes no parentheses around the sides of a set operation: a side with clauses of its own is derived. */
function printOperand(query: Query, options: PrintOptions, names: readonly string[] | null): string {
  const bare =
    query.with.length === 0 &&
    (query.kind === 'values' || (query.orderBy.length === 0 && query.limit === null));
  if (bare) return print(query, options, names);
  return `SELECT * FROM (${print(query, options, names)})`;
}

function printWith(ctes: readonly Cte[], options: PrintOptions): string {
  if (ctes.length === 0) return '';
  const items = ctes.map(({ name, columns, query }) => {
    const list = columns.map(quoteIdentifier).join(', ');
    return `${quoteIdentifier(name)}(${list}) AS (${print(query, options, null)})`;
  });
  return `WITH ${ctes.some((cte) => cte.recursive) ? 'RECURSIVE ' : ''}${items.join(', ')}`;
}

function printSelect(select: Select, options: PrintOptions, names: readonly string[] | null): string {
  const columns = select.columns.map(({ expr }, i) => {
    const name = names?.[i];
    const text = printExpr(expr, options);
    return name === undefined ? text : `${text} AS ${quoteIdentifier(name)}`;
  });
  const clauses = [`SELECT ${select.distinct ? 'DISTINCT ' : ''}${columns.join(', ')}`];
  if (select.from.length > 0)
    clauses.push(`FROM ${select.from.map((item) => printFromItem(item, options)).join(' ')}`);
  if (select.where) clauses.push(`WHERE ${printExpr(select.where, options)}`);
  if (select.groupBy.length > 0) {
    clauses.push(`GROUP BY ${select.groupBy.map((term) => printTerm(term, options)).join(', ')}`);
  }
  if (select.having) clauses.push(`HAVING ${printExpr(select.having, options)}`);
  return clauses.join(' ');
}

const JOINS: Readonly<Record<FromItem['join'], string>> = {
  from: '',
  inner: 'JOIN ',
  cross: 'CROSS JOIN ',
  left: 'LEFT JOIN ',
  right: 'RIGHT JOIN ',
  full: 'FULL JOIN ',
};

function printFromItem({ join, source, on }: FromItem, options: PrintOptions): string {
  // A comma lets SQLite reorder where CROSS JOIN does not; ON works after either but not after a comma.
  const keyword = join === 'cross' && on === null ? ', ' : JOINS[join];
  const condition = on ? ` ON ${printExpr(on, options)}` : '';
  return `${keyword}${printSource(source, options)}${condition}`;
}

function printSource(source: Source, options: PrintOptions): string {
  const alias = quoteIdentifier(source.id);
  switch (source.kind) {
    case 'table':
      return `${quoteIdentifier(source.table)} AS ${alias}`;
    case 'cte':
      return `${quoteIdentifier(source.name)} AS ${alias}`;
    case 'derived':
      return `(${printSubquery(source.query, options, true)}) AS ${alias}`;
  }
}

/** Prints ORDER BY with its terms, or ''. */
export function printOrder(terms: readonly OrderTerm[], options: PrintOptions): string {
  if (terms.length === 0) return '';
  const items = terms.map(({ expr, direction, nulls }) => {
    const order = direction === 'desc' ? ' DESC' : '';
    return `${printTerm(expr, options)}${order}${nulls === null ? '' : ` NULLS ${nulls.toUpperCase()}`}`;
  });
  return `ORDER BY ${items.join(', ')}`;
}

/** A bare integer would be a position here. */
function printTerm(expr: Expr, options: PrintOptions): string {
  if (expr.kind !== 'literal' || expr.type !== 'integer') return printExpr(expr, options);
  return printExpr(node({ kind: 'cast', expr, type: 'INTEGER' }), options);
}

function printLimit(limit: Limit | null, options: PrintOptions): string {
  if (!limit) return '';
  const offset = limit.offset ? ` OFFSET ${printExpr(limit.offset, options, LOOSEST)}` : '';
  return `LIMIT ${printExpr(limit.count, options, LOOSEST)}${offset}`;
}
