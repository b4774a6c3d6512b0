import { aggregatesIn, type Expr, isCorrelated } from '../../../../sql/index.ts';
import { aggregateColumns, closeGroups, groupKeys } from '../rows/group-rows.ts';
import { lowerSource } from '../rows/lower-rows.ts';
import { sortRows } from '../rows/sort-rows.ts';
import { evaluateAsColumn } from '../sequence/columns.ts';
import type { LowerContext } from '../sequence/context.ts';
import { Frame } from '../sequence/frame.ts';
import { joinFrames } from '../sequence/join-frames.ts';
import { unsupported } from '../sequence/unsupported.ts';
import type { Decorrelated } from './decorrelate.ts';

/**
 * A correlated subquery whose value is that of its first group: its rows grouped by what ties them and by its own
 * keys, sorted, and of those the first for each tie, joined to the rows of the query. Answers the column of the value.
 */
export function joinFirstGroup(
  expr: Extract<Expr, { kind: 'scalar_query' }>,
  { select, ties, conditions }: Decorrelated,
  frame: Frame,
  context: LowerContext,
): string {
  const [output] = select.columns;
  if (!output || select.limit?.offset || conditions.length > 0 || ties.length === 0 || isCorrelated(select)) {
    throw unsupported('correlated subquery', 'a correlated subquery of groups');
  }
  const inner = ties.map((tie) => tie.inner);
  const rows = lowerSource(select, context, inner);
  const keys = ties.map(({ outer }) => evaluateAsColumn(outer, frame, context));
  const otherKeys = inner.map((tie) => evaluateAsColumn(tie, rows, context));
  const own = select.groupBy.map((key) => evaluateAsColumn(key, rows, context));
  const clauses = [
    output.expr,
    ...(select.having ? [select.having] : []),
    ...select.orderBy.map((t) => t.expr),
  ];
  groupKeys(
    [...otherKeys, ...own],
    aggregateColumns(clauses.flatMap(aggregatesIn), rows, context),
    rows,
    context,
  );
  if (select.having) context.filter(select.having, rows);
  sortRows(select.orderBy, rows, context);
  const value = evaluateAsColumn(output.expr, rows, context);
  closeGroups(rows, context);
  // What a group shows of a column that is neither key nor aggregate is that of its first row.
  groupKeys(otherKeys, [], rows, context);
  const only = new Frame(rows.label);
  only.hold(expr, value);
  joinFrames(frame, only, keys, otherKeys, 'left', context);
  return frame.find(expr) as string;
}
