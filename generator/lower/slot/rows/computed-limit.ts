import type { Expr, Limit } from '../../../../sql/index.ts';
import { node } from '../../../../sql/index.ts';
import { constantColumn, transform } from '../sequence/columns.ts';
import type { LowerContext } from '../sequence/context.ts';
import type { Frame } from '../sequence/frame.ts';
import { newKey } from '../sequence/new-key.ts';

/** Whether a LIMIT or its OFFSET is more than a number: a subquery, arithmetic. */
export function isComputed(limit: Limit | null): limit is Limit {
  return limit !== null && ![limit.count, ...(limit.offset ? [limit.offset] : [])].every(isNumber);
}

function isNumber(expr: Expr): boolean {
  return expr.kind === 'unary' ? isNumber(expr.expr) : expr.kind === 'literal' && expr.type === 'integer';
}

/**
 * Keeps the rows within a LIMIT, by their number in row order: of all rows, or of those that are equal in some columns.
 * A negative count leaves none here.
 */
export function cutByNumber(
  { count, offset }: Limit,
  frame: Frame,
  context: LowerContext,
  within: readonly string[] = [],
): void {
  const number = numberInOrder(frame, context, within);
  if (offset) context.filter(compare('>', number, offset), frame);
  const last: Expr = offset ? node({ kind: 'binary', op: '+', left: count, right: offset }) : count;
  context.filter(compare('<=', number, last), frame);
}

/** A column with the number of each row; as an expression, so that conditions can ask about it. */
function numberInOrder(frame: Frame, context: LowerContext, within: readonly string[]): Expr {
  const same = constantColumn(1, frame, context);
  const key = newKey('row_number', null, frame, context);
  const args = within.length > 0 ? { partition_by: within } : {};
  const expr = { kind: 'column', source: 'rows', name: 'number' } as const;
  frame.holdColumn(expr.source, expr.name, transform(frame, same, 'row_number', args, key, context));
  return expr;
}

function compare(op: '>' | '<=', left: Expr, right: Expr): Expr {
  return node({ kind: 'compare', op, left, right });
}
