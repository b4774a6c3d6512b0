import { type Expr, type Query, type Select, visitExpr, visitQuery } from '../../../sql/index.ts';

/** The expression and everything in it, subqueries included, outside in. */
export function exprsWithin(expr: Expr): readonly Expr[] {
  const found: Expr[] = [];
  visitExpr(expr, { expr: (part) => found.push(part) });
  return found;
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
