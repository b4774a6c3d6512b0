import { childExprs, childQueries, type Expr, type Query, queryExprs, subqueryOf } from '../../sql/index.ts';

/** The expression and all below it in the same query, outermost first; subqueries are not entered. */
export function* walk(expr: Expr): Generator<Expr> {
  yield expr;
  for (const child of childExprs(expr)) yield* walk(child);
}

/** The subqueries directly in an expression. */
export function subqueries(expr: Expr): Query[] {
  return [...walk(expr)].flatMap((part) => subqueryOf(part) ?? []);
}

/** The queries directly inside a query: CTEs, derived tables, operands, and subqueries of its expressions. */
export function innerQueries(query: Query): Query[] {
  return [...childQueries(query), ...queryExprs(query).flatMap(subqueries)];
}

/** The query and every query inside it, outermost first. */
export function* allQueries(query: Query): Generator<Query> {
  yield query;
  for (const inner of innerQueries(query)) yield* allQueries(inner);
}
