import { aggregatesIn, type Expr, isCorrelated } from '../../../../sql/index.ts';
import { cutByNumber } from '../rows/computed-limit.ts';
import { aggregateColumns, closeGroups, groupKeys } from '../rows/group-rows.ts';
import { lowerSource } from '../rows/lower-rows.ts';
import { sortRows } from '../rows/sort-rows.ts';
import { evaluateAsColumn } from '../sequence/columns.ts';
import type { LowerContext } from '../sequence/context.ts';
import type { Frame } from '../sequence/frame.ts';
import { unsupported } from '../sequence/unsupported.ts';
import type { Decorrelated } from './decorrelate.ts';
import { joinPartners } from './partner-rows.ts';

/**
 * Keeps the rows whose values are among those of a subquery that is grouped or cut for each of them: its groups are made
 * for every tie at once, sorted, and of each tie only as many stay as its LIMIT says.
 */
export function keepIncludedOfGroups(
  frame: Frame,
  { select, ties, conditions }: Decorrelated,
  left: readonly Expr[],
  context: LowerContext,
): void {
  const outputs = select.columns.map(({ expr }) => expr);
  const clauses = [
    ...outputs,
    ...(select.having ? [select.having] : []),
    ...select.orderBy.map((term) => term.expr),
  ];
  const aggregates = clauses.flatMap(aggregatesIn);
  const isGrouped = select.groupBy.length > 0;
  // Aggregates of no rows are one row, which no group stands for; what LIMIT keeps of equal rows depends on DISTINCT.
  const isOdd = (!isGrouped && aggregates.length > 0) || (select.distinct && select.limit !== null);
  if (isOdd || conditions.length > 0 || ties.length === 0 || isCorrelated(select))
    throw unsupported('correlated in', 'IN of groups or cut rows that are not tied by equal columns alone');

  const inner = ties.map((tie) => tie.inner);
  const rows = lowerSource(select, context, inner);
  const keys = [...ties.map(({ outer }) => outer), ...left].map((expr) =>
    evaluateAsColumn(expr, frame, context),
  );
  const tieKeys = inner.map((tie) => evaluateAsColumn(tie, rows, context));
  if (isGrouped) {
    const own = select.groupBy.map((key) => evaluateAsColumn(key, rows, context));
    groupKeys([...tieKeys, ...own], aggregateColumns(aggregates, rows, context), rows, context);
    if (select.having) context.filter(select.having, rows);
  }
  sortRows(select.orderBy, rows, context);
  const values = outputs.map((expr) => evaluateAsColumn(expr, rows, context));
  closeGroups(rows, context);
  if (select.limit) cutByNumber(select.limit, rows, context, tieKeys);
  joinPartners(frame, rows, keys, [...tieKeys, ...values], 'semi', context);
}
