import type { Expr, Select } from '../../sql/index.ts';
import { disjunction, isCorrelated } from '../../sql/index.ts';
import type { LowerContext } from './context.ts';
import { decorrelate } from './decorrelate.ts';
import { aggregatesIn } from './expr-key.ts';
import type { Frame } from './frame.ts';
import { keepPartners } from './partner-rows.ts';
import { unsupported } from './unsupported.ts';

/** EXISTS: the rows that have a partner in the subquery's rows. */
export function keepExisting(
  expr: Extract<Expr, { kind: 'exists' }>,
  frame: Frame,
  context: LowerContext,
): void {
  const subquery = decorrelate(expr.query, 'exists');
  const { select } = subquery;
  if (select.having || (select.groupBy.length === 0 && hasAggregates(select))) {
    throw unsupported('exists', 'EXISTS of an aggregate');
  }
  keepPartners(frame, subquery, expr.negated ? 'anti' : 'semi', context);
}

/** A correlated IN, or one of several columns: the rows that have a partner with these values. */
export function keepIncluded(
  expr: Extract<Expr, { kind: 'in_query' }>,
  frame: Frame,
  context: LowerContext,
): void {
  const subquery = decorrelate(expr.query, 'in');
  const { select } = subquery;
  if (hasAggregates(select) || select.groupBy.length > 0 || select.limit || isCorrelated(select)) {
    throw unsupported('correlated in', 'IN of groups, several columns at once or for each row');
  }
  const left = expr.expr.kind === 'row' ? expr.expr.items : [expr.expr];
  const ties = select.columns.map(({ expr: inner }, i) => ({ inner, outer: left[i] as Expr }));
  if (!expr.negated) {
    keepPartners(frame, { ...subquery, ties: [...subquery.ties, ...ties] }, 'semi', context);
    return;
  }
  // NOT IN keeps a row only if it surely differs from all: a NULL on either side is as bad as being equal.
  const [tie] = ties;
  if (!tie || ties.length > 1) throw unsupported('correlated in', 'NOT IN of several columns');
  const mayEqual = disjunction([
    { kind: 'compare', op: '=', left: tie.outer, right: tie.inner },
    { kind: 'is_null', expr: tie.outer, negated: false },
    { kind: 'is_null', expr: tie.inner, negated: false },
  ]);
  keepPartners(frame, { ...subquery, conditions: [...subquery.conditions, mayEqual] }, 'anti', context);
}

function hasAggregates(select: Select): boolean {
  return select.columns.some(({ expr }) => aggregatesIn(expr).length > 0);
}
