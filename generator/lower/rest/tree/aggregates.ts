import { childExprs, type Expr } from '../../../sql/index.ts';

/** Whether an expression holds an aggregate of its own query. */
export function aggregates(expr: Expr): boolean {
  return expr.kind === 'aggregate' || childExprs(expr).some(aggregates);
}
