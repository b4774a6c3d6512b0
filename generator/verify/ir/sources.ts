import type { Column, Cte, Expr, Query, Select, SourceId } from '../../sql/ir.ts';
import { allQueries, clauseExprs, partsOf, walk } from './children.ts';

/** A SELECT somewhere in a query, and the CTEs it can read. */
export interface Block {
  readonly select: Select;
  readonly ctes: readonly Cte[];
}

/** Every SELECT in the query, outermost first. */
export function selectBlocks(query: Query, ctes: readonly Cte[] = []): Block[] {
  const visible = [...ctes, ...query.with];
  const inside = [...directQueries(query)].flatMap((inner) => selectBlocks(inner, visible));
  return query.kind === 'select' ? [{ select: query, ctes: visible }, ...inside] : inside;
}

function* directQueries(query: Query): Generator<Query> {
  for (const { query: inner } of query.with) yield inner;
  if (query.kind === 'set_operation') yield* [query.left, query.right];
  if (query.kind === 'select') {
    for (const { source } of query.from) if (source.kind === 'derived') yield source.query;
  }
  for (const expr of clauseExprs(query)) {
    for (const each of walk(expr)) yield* partsOf(each).queries;
  }
}

/** Every column mentioned in an expression, in its subqueries too. */
export function columnsOf(expr: Expr): Column[] {
  return [...walk(expr)].flatMap((each) =>
    each.kind === 'column' ? [each] : partsOf(each).queries.flatMap(columnsOfQuery),
  );
}

/** Every column mentioned anywhere in a query. */
export function columnsOfQuery(query: Query): Column[] {
  return [...allQueries(query)].flatMap((each) =>
    clauseExprs(each).flatMap((expr) =>
      [...walk(expr)].filter((part): part is Column => part.kind === 'column'),
    ),
  );
}

/** The sources that queries inside an expression bring along. */
function sourcesInside(expr: Expr): Set<SourceId> {
  const ids = new Set<SourceId>();
  for (const part of walk(expr)) {
    for (const query of partsOf(part).queries) {
      for (const each of allQueries(query)) {
        if (each.kind === 'select') for (const { source } of each.from) ids.add(source.id);
      }
    }
  }
  return ids;
}

/** The sources an expression reads from outside itself. */
export function freeSources(expr: Expr): Set<SourceId> {
  const inside = sourcesInside(expr);
  return new Set(
    columnsOf(expr)
      .map(({ source }) => source)
      .filter((id) => !inside.has(id)),
  );
}

/** The items of an AND, or the expression alone; none for null. */
export function conjuncts(expr: Expr | null): readonly Expr[] {
  if (!expr) return [];
  return expr.kind === 'and' ? expr.items : [expr];
}
