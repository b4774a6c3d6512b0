import type { Column, Expr, FromItem, Query, Select, SourceId } from './nodes.ts';
import {
  childExprs,
  childQueries,
  queryExprs,
  subqueryOf,
  type Visitor,
  visitExpr,
  visitQuery,
} from './walk.ts';

/** The expression and everything in it, subqueries included, outside in. */
export function exprsWithin(expr: Expr): readonly Expr[] {
  const found: Expr[] = [];
  visitExpr(expr, { expr: (part) => found.push(part) });
  return found;
}

/** The expression and everything in it in the same query, outside in; subqueries are not entered. */
export function* ownExprs(expr: Expr): Generator<Expr> {
  yield expr;
  for (const child of childExprs(expr)) yield* ownExprs(child);
}

/** Every expression of a query, subqueries included. */
export function exprsOf(query: Query): readonly Expr[] {
  const found: Expr[] = [];
  visitQuery(query, { expr: (part) => found.push(part) });
  return found;
}

/** The query itself and every query inside it, outermost first. */
export function queriesOf(query: Query): readonly Query[] {
  const found: Query[] = [];
  visitQuery(query, { query: (inner) => found.push(inner) });
  return found;
}

/** Every SELECT of a query, outermost first. */
export function selectsOf(query: Query): readonly Select[] {
  return queriesOf(query).filter((one) => one.kind === 'select');
}

/** The queries directly inside a query: CTEs, derived tables, sides of a set operation, subqueries of its expressions. */
export function innerQueries(query: Query): readonly Query[] {
  const subqueries = queryExprs(query).flatMap((clause) =>
    [...ownExprs(clause)].flatMap((expr) => subqueryOf(expr) ?? []),
  );
  return [...childQueries(query), ...subqueries];
}

/** Every column mentioned in an expression, in its subqueries too. */
export function columnsOf(expr: Expr): readonly Column[] {
  const columns: Column[] = [];
  visitExpr(expr, collecting(columns));
  return columns;
}

/** Every column mentioned anywhere in a query. */
export function columnsOfQuery(query: Query): readonly Column[] {
  const columns: Column[] = [];
  visitQuery(query, collecting(columns));
  return columns;
}

function collecting(columns: Column[]): Visitor {
  return {
    expr: (part) => {
      if (part.kind === 'column') columns.push(part);
    },
  };
}

/** Every source that a query or anything in it reads from, by id. */
export function sourceIds(query: Query): Set<SourceId> {
  const ids = new Set<SourceId>();
  visitQuery(query, addingSources(ids));
  return ids;
}

/** The sources an expression reads from outside itself. */
export function freeSources(expr: Expr): Set<SourceId> {
  const inside = new Set<SourceId>();
  visitExpr(expr, addingSources(inside));
  return new Set(
    columnsOf(expr)
      .map(({ source }) => source)
      .filter((id) => !inside.has(id)),
  );
}

function addingSources(ids: Set<SourceId>): Visitor {
  return {
    query: (query) => {
      if (query.kind === 'select') for (const { source } of query.from) ids.add(source.id);
    },
  };
}

/** Whether a subquery reads columns of a query around it. */
export function isCorrelated(query: Query): boolean {
  const own = sourceIds(query);
  return columnsOfQuery(query).some(({ source }) => !own.has(source));
}

/** Whether a row of a source is only there with one of the sources that it is joined to. */
export function isInner({ join }: FromItem): boolean {
  return join === 'from' || join === 'inner' || join === 'cross';
}
