import { type Expr, visitExpr } from '../../sql/index.ts';

/** A text that equal expressions share, wherever they stand. */
export function exprKey(expr: Expr): string {
  return JSON.stringify(expr, (name, value: unknown) => {
    if (name === 'span' || name === 'pinned') return undefined;
    return typeof value === 'bigint' ? `${value}n` : value;
  });
}

/** Whether two expressions are the same. */
export function sameExpr(a: Expr, b: Expr): boolean {
  return exprKey(a) === exprKey(b);
}

/** The aggregates in an expression, outermost first; those of subqueries are their own. */
export function aggregatesIn(expr: Expr): Extract<Expr, { kind: 'aggregate' }>[] {
  const found: Extract<Expr, { kind: 'aggregate' }>[] = [];
  visitOwn(expr, (inner) => {
    if (inner.kind !== 'aggregate') return true;
    found.push(inner);
    return false;
  });
  return found;
}

/** Visits an expression without entering subqueries; `visit` answers whether to go deeper. */
export function visitOwn(expr: Expr, visit: (expr: Expr) => boolean): void {
  visitExpr(expr, {
    expr: (inner) => {
      if (!visit(inner)) return false;
      return inner.kind !== 'in_query' && inner.kind !== 'exists' && inner.kind !== 'scalar_query';
    },
  });
}
