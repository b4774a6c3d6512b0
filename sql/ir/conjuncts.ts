import type { Expr } from './nodes.ts';

/** The items of an AND, or the expression alone; none for null. */
export function conjuncts(expr: Expr | null): readonly Expr[] {
  if (expr === null) return [];
  return expr.kind === 'and' ? expr.items : [expr];
}
