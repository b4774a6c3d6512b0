import {
  type Column,
  type Cte,
  childQueries,
  type Expr,
  type Query,
  queryExprs,
  type Select,
  type SourceId,
  type Visitor,
  visitExpr,
  visitQuery,
} from '../../sql/index.ts';
import { subqueries } from './children.ts';

/** A SELECT somewhere in a query, and the CTEs it can read. */
export interface Block {
  readonly select: Select;
  readonly ctes: readonly Cte[];
}

/** Every SELECT in the query, outermost first. */
export function selectBlocks(query: Query, ctes: readonly Cte[] = []): Block[] {
  const visible = [...ctes, ...query.with];
  const inside = [...childQueries(query), ...queryExprs(query).flatMap(subqueries)];
  const blocks = inside.flatMap((inner) => selectBlocks(inner, visible));
  return query.kind === 'select' ? [{ select: query, ctes: visible }, ...blocks] : blocks;
}

/** Every column mentioned in an expression, in its subqueries too. */
export function columnsOf(expr: Expr): Column[] {
  const columns: Column[] = [];
  visitExpr(expr, collecting(columns));
  return columns;
}

/** Every column mentioned anywhere in a query. */
export function columnsOfQuery(query: Query): Column[] {
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

/** The sources an expression reads from outside itself. */
export function freeSources(expr: Expr): Set<SourceId> {
  const inside = new Set<SourceId>();
  visitExpr(expr, {
    query: (query) => {
      if (query.kind === 'select') for (const { source } of query.from) inside.add(source.id);
    },
  });
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
