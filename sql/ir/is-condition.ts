import type { Expr, ExprKind } from './nodes.ts';

const CONDITIONS = [
  'compare',
  'and',
  'or',
  'not',
  'is_null',
  'between',
  'like',
  'in_list',
  'in_query',
  'exists',
] as const satisfies readonly ExprKind[];

const KINDS: ReadonlySet<string> = new Set(CONDITIONS);

/** Whether an expression is 1 where something holds, 0 where not, and NULL where that is unknown. */
export function isCondition(
  expr: Expr,
): expr is Extract<Expr, { readonly kind: (typeof CONDITIONS)[number] }> {
  return KINDS.has(expr.kind);
}
