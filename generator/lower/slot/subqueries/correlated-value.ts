import { type Aggregate, aggregatesIn, type Expr, isCorrelated } from '../../../../sql/index.ts';
import { aggregateColumns, groupKeys } from '../rows/group-rows.ts';
import { lowerSource } from '../rows/lower-rows.ts';
import { sortRows } from '../rows/sort-rows.ts';
import { evaluateAsColumn } from '../sequence/columns.ts';
import { compute } from '../sequence/compute.ts';
import type { LowerContext } from '../sequence/context.ts';
import type { Frame } from '../sequence/frame.ts';
import { joinFrames } from '../sequence/join-frames.ts';
import { unsupported } from '../sequence/unsupported.ts';
import { type Decorrelated, decorrelate, isGroupedByTies } from './decorrelate.ts';
import { joinFirstGroup } from './first-group.ts';
import { pairRows } from './partner-rows.ts';

/**
 * A correlated subquery used as a value: its rows are grouped by the correlating columns and joined to the rows of the
 * query, one value a group. Returns the value's column.
 */
export function joinScalarQuery(
  expr: Extract<Expr, { kind: 'scalar_query' }>,
  frame: Frame,
  context: LowerContext,
): string {
  const subquery = decorrelate(expr.query, 'scalar subquery');
  const { select } = subquery;
  const [output] = select.columns;
  const grouped = isGroupedByTies(subquery);
  if (select.groupBy.length > 0 && !grouped) return joinFirstGroup(expr, subquery, frame, context);
  if (!output || (!grouped && select.having) || select.limit?.offset) {
    throw unsupported('correlated subquery', 'a correlated subquery of groups');
  }
  const { keys, rows, otherKeys } = tiedRows(frame, subquery, context);
  const aggregates = [output.expr, ...(select.having ? [select.having] : [])].flatMap(aggregatesIn);
  if (aggregates.length === 0) {
    // The value of the first row: what a group shows of a column that is not aggregated.
    sortRows(select.orderBy, rows, context);
    rows.hold(output.expr, evaluateAsColumn(output.expr, rows, context));
  }
  groupKeys(otherKeys, aggregateColumns(aggregates, rows, context), rows, context);
  if (select.having) context.filter(select.having, rows);
  // The same COUNT(*) may stand in the query around, where it counts something else.
  const outside = aggregates.map((aggregate) => ({ aggregate, key: frame.find(aggregate) }));
  for (const { aggregate } of outside) frame.forget(aggregate);
  joinFrames(frame, rows, keys, otherKeys, 'left', context);
  // An empty group does not exist, unless there is no GROUP BY.
  if (!grouped) countNoPartnersAsZero(aggregates, frame, context);
  const key = evaluateAsColumn(output.expr, frame, context);
  frame.forget(output.expr);
  for (const { aggregate, key: before } of outside) {
    frame.forget(aggregate);
    if (before !== undefined) frame.hold(aggregate, before);
  }
  frame.hold(expr, key);
  return key;
}

/** The subquery's rows and the columns that correlate them with the frame's. */
function tiedRows(frame: Frame, subquery: Decorrelated, context: LowerContext) {
  const { select, ties, conditions } = subquery;
  if (conditions.length > 0 || ties.length === 0 || isCorrelated(select)) {
    const { id, pairs } = pairRows(frame, subquery, context);
    return { keys: [id], rows: pairs, otherKeys: [id] };
  }
  const rows = lowerSource(
    select,
    context,
    ties.map((tie) => tie.inner),
  );
  return {
    keys: ties.map(({ outer }) => evaluateAsColumn(outer, frame, context)),
    rows,
    otherKeys: ties.map((tie) => evaluateAsColumn(tie.inner, rows, context)),
  };
}

/** Where there is no partner a join gives NULL, and COUNT would be 0. */
function countNoPartnersAsZero(aggregates: readonly Aggregate[], frame: Frame, context: LowerContext): void {
  for (const aggregate of aggregates) {
    if (aggregate.name !== 'count') continue;
    const key = frame.find(aggregate) as string;
    const made = compute(null, { kind: 'key', key }, 'coalesce', { operand: 0 }, frame, context);
    if (made.kind === 'key') frame.hold(aggregate, made.key);
  }
}
