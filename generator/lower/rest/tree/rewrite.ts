import type { Expr, Frame, FrameBound, FromItem, Limit, OrderTerm, Query } from '../../../sql/index.ts';
import { node } from '../../../sql/index.ts';

/** Answers what takes an expression's place, or null to keep it (its parts are then rewritten). */
export type Rewrite = (expr: Expr) => Expr | null;

/** The same query with expressions replaced, parents first; parts that do not change stay the same objects. */
export function rewriteQuery(query: Query, rewrite: Rewrite): Query {
  const inner = (one: Query) => rewriteQuery(one, rewrite);
  const withs = query.with.map((cte) => node({ ...cte, query: inner(cte.query) }));
  switch (query.kind) {
    case 'select':
      return node({
        ...query,
        with: withs,
        columns: query.columns.map((column) => node({ ...column, expr: rewriteExpr(column.expr, rewrite) })),
        from: query.from.map((item) => rewriteFrom(item, rewrite)),
        where: rewriteMaybe(query.where, rewrite),
        groupBy: rewriteAll(query.groupBy, rewrite),
        having: rewriteMaybe(query.having, rewrite),
        orderBy: rewriteOrder(query.orderBy, rewrite),
        limit: rewriteLimit(query.limit, rewrite),
      });
    case 'set_operation':
      return node({
        ...query,
        with: withs,
        left: inner(query.left),
        right: inner(query.right),
        orderBy: rewriteOrder(query.orderBy, rewrite),
        limit: rewriteLimit(query.limit, rewrite),
      });
    case 'values':
      return node({ ...query, with: withs, rows: query.rows.map((row) => rewriteAll(row, rewrite)) });
  }
}

/** The same expression with parts replaced, parents first. */
export function rewriteExpr(expr: Expr, rewrite: Rewrite): Expr {
  const replaced = rewrite(expr);
  if (replaced !== null) return replaced;
  const one = (child: Expr) => rewriteExpr(child, rewrite);
  const maybe = (child: Expr | null) => rewriteMaybe(child, rewrite);
  const all = (children: readonly Expr[]) => rewriteAll(children, rewrite);
  switch (expr.kind) {
    case 'literal':
    case 'column':
    case 'output':
      return expr;
    case 'row':
    case 'and':
    case 'or':
      return node({ ...expr, items: all(expr.items) });
    case 'unary':
    case 'not':
    case 'is_null':
    case 'cast':
    case 'collate':
      return node({ ...expr, expr: one(expr.expr) });
    case 'binary':
    case 'compare':
      return node({ ...expr, left: one(expr.left), right: one(expr.right) });
    case 'between':
      return node({ ...expr, expr: one(expr.expr), low: one(expr.low), high: one(expr.high) });
    case 'like':
      return node({
        ...expr,
        expr: one(expr.expr),
        pattern: one(expr.pattern),
        escape: maybe(expr.escape),
      });
    case 'in_list':
      return node({ ...expr, expr: one(expr.expr), items: all(expr.items) });
    case 'in_query':
      return node({ ...expr, expr: one(expr.expr), query: rewriteQuery(expr.query, rewrite) });
    case 'exists':
    case 'scalar_query':
      return node({ ...expr, query: rewriteQuery(expr.query, rewrite) });
    case 'case':
      return node({
        ...expr,
        operand: maybe(expr.operand),
        whens: expr.whens.map(({ when, result }) => node({ when: one(when), result: one(result) })),
        else: maybe(expr.else),
      });
    case 'call':
      return node({ ...expr, args: all(expr.args) });
    case 'aggregate':
      return node({
        ...expr,
        args: all(expr.args),
        filter: maybe(expr.filter),
        orderBy: rewriteOrder(expr.orderBy, rewrite),
      });
    case 'window':
      return node({
        ...expr,
        args: all(expr.args),
        filter: maybe(expr.filter),
        partitionBy: all(expr.partitionBy),
        orderBy: rewriteOrder(expr.orderBy, rewrite),
        frame: rewriteFrame(expr.frame, rewrite),
      });
  }
}

function rewriteAll(exprs: readonly Expr[], rewrite: Rewrite): readonly Expr[] {
  return exprs.map((expr) => rewriteExpr(expr, rewrite));
}

function rewriteMaybe(expr: Expr | null, rewrite: Rewrite): Expr | null {
  return expr === null ? null : rewriteExpr(expr, rewrite);
}

function rewriteOrder(terms: readonly OrderTerm[], rewrite: Rewrite): readonly OrderTerm[] {
  return terms.map((term) => node({ ...term, expr: rewriteExpr(term.expr, rewrite) }));
}

function rewriteLimit(limit: Limit | null, rewrite: Rewrite): Limit | null {
  if (limit === null) return null;
  return node({ count: rewriteExpr(limit.count, rewrite), offset: rewriteMaybe(limit.offset, rewrite) });
}

function rewriteFrom(item: FromItem, rewrite: Rewrite): FromItem {
  const source =
    item.source.kind === 'derived'
      ? node({ ...item.source, query: rewriteQuery(item.source.query, rewrite) })
      : item.source;
  return node({ ...item, source, on: rewriteMaybe(item.on, rewrite) });
}

function rewriteFrame(frame: Frame | null, rewrite: Rewrite): Frame | null {
  if (frame === null) return null;
  const bound = (at: FrameBound): FrameBound =>
    'offset' in at ? node({ ...at, offset: rewriteExpr(at.offset, rewrite) }) : at;
  return node({ ...frame, start: bound(frame.start), end: bound(frame.end) });
}
