import type { Expr, FrameBound, OrderTerm, Query } from './nodes.ts';

/** The expressions directly inside an expression, in the order written; subqueries are not entered. */
export function childExprs(expr: Expr): readonly Expr[] {
  switch (expr.kind) {
    case 'literal':
    case 'column':
    case 'output':
    case 'exists':
    case 'scalar_query':
      return [];
    case 'row':
    case 'and':
    case 'or':
      return expr.items;
    case 'unary':
    case 'not':
    case 'is_null':
    case 'cast':
    case 'collate':
    case 'in_query':
      return [expr.expr];
    case 'binary':
    case 'compare':
      return [expr.left, expr.right];
    case 'between':
      return [expr.expr, expr.low, expr.high];
    case 'like':
      return [expr.expr, expr.pattern, ...present(expr.escape)];
    case 'in_list':
      return [expr.expr, ...expr.items];
    case 'case':
      return [
        ...present(expr.operand),
        ...expr.whens.flatMap(({ when, result }) => [when, result]),
        ...present(expr.else),
      ];
    case 'call':
      return expr.args;
    case 'aggregate':
      return [...expr.args, ...present(expr.filter), ...termExprs(expr.orderBy)];
    case 'window':
      return [
        ...expr.args,
        ...present(expr.filter),
        ...expr.partitionBy,
        ...termExprs(expr.orderBy),
        ...(expr.frame ? [...boundExprs(expr.frame.start), ...boundExprs(expr.frame.end)] : []),
      ];
  }
}

/** The subquery directly in an expression, if it has one. */
export function subqueryOf(expr: Expr): Query | null {
  return expr.kind === 'in_query' || expr.kind === 'exists' || expr.kind === 'scalar_query'
    ? expr.query
    : null;
}

/** The expressions of a query's own clauses, in the order printed; neither FROM's subqueries nor CTEs. */
export function queryExprs(query: Query): readonly Expr[] {
  switch (query.kind) {
    case 'values':
      return query.rows.flat();
    case 'set_operation':
      return [...termExprs(query.orderBy), ...limitExprs(query)];
    case 'select':
      return [
        ...query.columns.map((column) => column.expr),
        ...query.from.flatMap((item) => present(item.on)),
        ...present(query.where),
        ...query.groupBy,
        ...present(query.having),
        ...termExprs(query.orderBy),
        ...limitExprs(query),
      ];
  }
}

/** The queries directly inside a query other than in expressions: CTEs, derived tables, sides of a set operation. */
export function childQueries(query: Query): readonly Query[] {
  const ctes = query.with.map((cte) => cte.query);
  switch (query.kind) {
    case 'values':
      return ctes;
    case 'set_operation':
      return [...ctes, query.left, query.right];
    case 'select':
      return [
        ...ctes,
        ...query.from.flatMap(({ source }) => (source.kind === 'derived' ? [source.query] : [])),
      ];
  }
}

/** Called for each node; return false to skip an expression's parts. */
export interface Visitor {
  readonly query?: (query: Query) => void;
  readonly expr?: (expr: Expr) => unknown;
}

/** Visits a query and everything in it, subqueries included, outside in. */
export function visitQuery(query: Query, visitor: Visitor): void {
  visitor.query?.(query);
  for (const inner of childQueries(query)) visitQuery(inner, visitor);
  for (const expr of queryExprs(query)) visitExpr(expr, visitor);
}

/** Visits an expression and everything in it, subqueries included, outside in. */
export function visitExpr(expr: Expr, visitor: Visitor): void {
  if (visitor.expr?.(expr) === false) return;
  const query = subqueryOf(expr);
  for (const inner of childExprs(expr)) visitExpr(inner, visitor);
  if (query) visitQuery(query, visitor);
}

function present(expr: Expr | null): readonly Expr[] {
  return expr === null ? [] : [expr];
}

function termExprs(terms: readonly OrderTerm[]): readonly Expr[] {
  return terms.map((term) => term.expr);
}

function limitExprs(query: Exclude<Query, { kind: 'values' }>): readonly Expr[] {
  return query.limit ? [query.limit.count, ...present(query.limit.offset)] : [];
}

function boundExprs(bound: FrameBound): readonly Expr[] {
  return 'offset' in bound ? [bound.offset] : [];
}
