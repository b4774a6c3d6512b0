import type { Aggregate, Expr, Select } from './nodes.ts';
import { childExprs } from './walk.ts';

/** The aggregates of an expression's own query, outermost first; those of subqueries are their own. */
export function aggregatesIn(expr: Expr): readonly Aggregate[] {
  return expr.kind === 'aggregate' ? [expr] : childExprs(expr).flatMap(aggregatesIn);
}

/** Whether an expression holds an aggregate of its own query. */
export function holdsAggregate(expr: Expr): boolean {
  return expr.kind === 'aggregate' || childExprs(expr).some(holdsAggregate);
}

/** Whether a SELECT groups rows, even if into a single group. */
export function isAggregated(select: Select): boolean {
  return (
    select.groupBy.length > 0 ||
    select.having !== null ||
    [...select.columns, ...select.orderBy].some(({ expr }) => holdsAggregate(expr))
  );
}
