import type { Expr, ExprKind, Frame, OrderTerm, Query } from '../../sql/ir.ts';

/** The parts of an expression: expressions of the same query, and queries inside it. */
export interface Parts {
  readonly exprs: readonly Expr[];
  readonly queries: readonly Query[];
}

type Of<K extends ExprKind> = Extract<Expr, { kind: K }>;

const terms = (orderBy: readonly OrderTerm[]) => orderBy.map(({ expr }) => expr);
const some = (...exprs: readonly (Expr | null)[]) => exprs.filter((expr) => expr !== null);
const only = (...exprs: readonly (Expr | null)[]): Parts => ({ exprs: some(...exprs), queries: [] });

const PARTS: { readonly [K in ExprKind]: (expr: Of<K>) => Parts } = {
  literal: () => only(),
  column: () => only(),
  output: () => only(),
  row: ({ items }) => only(...items),
  unary: ({ expr }) => only(expr),
  binary: ({ left, right }) => only(left, right),
  compare: ({ left, right }) => only(left, right),
  and: ({ items }) => only(...items),
  or: ({ items }) => only(...items),
  not: ({ expr }) => only(expr),
  is_null: ({ expr }) => only(expr),
  between: ({ expr, low, high }) => only(expr, low, high),
  like: (like) => only(like.expr, like.pattern, like.escape),
  in_list: ({ expr, items }) => only(expr, ...items),
  in_query: ({ expr, query }) => ({ exprs: [expr], queries: [query] }),
  exists: ({ query }) => ({ exprs: [], queries: [query] }),
  scalar_query: ({ query }) => ({ exprs: [], queries: [query] }),
  case: ({ operand, whens, else: otherwise }) =>
    only(operand, ...whens.flatMap(({ when, result }) => [when, result]), otherwise),
  cast: ({ expr }) => only(expr),
  collate: ({ expr }) => only(expr),
  call: ({ args }) => only(...args),
  aggregate: ({ args, filter }) => only(...args, filter),
  window: ({ args, filter, partitionBy, orderBy, frame }) =>
    only(...args, filter, ...partitionBy, ...terms(orderBy), ...frameOffsets(frame)),
};

function frameOffsets(frame: Frame | null): Expr[] {
  return [frame?.start, frame?.end].flatMap((bound) => (bound && 'offset' in bound ? [bound.offset] : []));
}

/** The expressions and queries directly inside an expression. */
export function partsOf(expr: Expr): Parts {
  return (PARTS[expr.kind] as (expr: Expr) => Parts)(expr);
}

/** The expression and all below it in the same query, outermost first; subqueries are not entered. */
export function* walk(expr: Expr): Generator<Expr> {
  yield expr;
  for (const part of partsOf(expr).exprs) yield* walk(part);
}

/** The expressions that stand directly in a query's clauses. */
export function clauseExprs(query: Query): Expr[] {
  switch (query.kind) {
    case 'select':
      return some(
        ...query.columns.map(({ expr }) => expr),
        ...query.from.map(({ on }) => on),
        query.where,
        ...query.groupBy,
        query.having,
        ...terms(query.orderBy),
        query.limit?.count ?? null,
        query.limit?.offset ?? null,
      );
    case 'set_operation':
      return some(...terms(query.orderBy), query.limit?.count ?? null, query.limit?.offset ?? null);
    case 'values':
      return query.rows.flat();
  }
}

/** The queries directly inside a query: CTEs, derived tables, operands, and subqueries of its expressions. */
export function innerQueries(query: Query): Query[] {
  const ctes = query.with.map((cte) => cte.query);
  const operands = query.kind === 'set_operation' ? [query.left, query.right] : [];
  const derived =
    query.kind === 'select'
      ? query.from.flatMap(({ source }) => (source.kind === 'derived' ? [source.query] : []))
      : [];
  const nested = clauseExprs(query).flatMap((expr) => [...walk(expr)].flatMap((e) => partsOf(e).queries));
  return [...ctes, ...operands, ...derived, ...nested];
}

/** The query and every query inside it, outermost first. */
export function* allQueries(query: Query): Generator<Query> {
  yield query;
  for (const inner of innerQueries(query)) yield* allQueries(inner);
}
