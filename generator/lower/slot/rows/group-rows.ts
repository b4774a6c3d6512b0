import { groupingOf } from '../../../../services/domain/tools/plan/grouping.ts';
import { type Aggregate, type Expr, exprKey } from '../../../../sql/index.ts';
import { constantColumn } from '../sequence/columns.ts';
import type { LowerContext } from '../sequence/context.ts';
import type { Frame } from '../sequence/frame.ts';
import { oneOrMore } from '../sequence/one-or-more.ts';
import { unsupported } from '../sequence/unsupported.ts';
import { aggregateArguments, takesOrder } from './aggregates.ts';
import { sortRows } from './sort-rows.ts';

/** An aggregate and the call that computes it, but for the data source. */
export interface AggregateColumn {
  readonly expr: Aggregate;
  readonly args: Record<string, unknown>;
}

/** The aggregates, each once, with what they aggregate made columns: to be done before the rows are grouped. */
export function aggregateColumns(
  aggregates: readonly Aggregate[],
  frame: Frame,
  context: LowerContext,
): AggregateColumn[] {
  const unique = new Map(aggregates.map((expr) => [exprKey(expr), expr]));
  sortForAggregates(aggregates, frame, context);
  return [...unique.values()].map((expr) => ({ expr, args: aggregateArguments(expr, frame, context) }));
}

/** Sorts the rows that are to be grouped as their aggregates ask; those can only all ask for the same. */
function sortForAggregates(aggregates: readonly Aggregate[], frame: Frame, context: LowerContext): void {
  const orders = new Map(
    aggregates
      .filter(takesOrder)
      .map(({ orderBy }) => [orderBy.map((term) => exprKey(term.expr) + term.direction).join(), orderBy]),
  );
  const [order, ...others] = orders.values();
  if (others.length > 0)
    throw unsupported('order by in aggregate', 'aggregates of a group in different orders');
  if (order) sortRows(order, frame, context);
}

/** Groups the rows by expressions and adds a column for each aggregate. */
export function groupRows(
  by: readonly Expr[],
  aggregates: readonly AggregateColumn[],
  frame: Frame,
  context: LowerContext,
): void {
  const keys = by.flatMap((expr) => {
    const value = context.evaluate(expr, frame);
    return value.kind === 'key' ? [value.key] : [];
  });
  // A constant makes one group of all rows, but of no rows none.
  if (keys.length === 0 && by.length > 0) keys.push(constantColumn(1, frame, context));
  groupKeys(keys, aggregates, frame, context);
}

/** Groups the rows by columns and adds a column for each aggregate. */
export function groupKeys(
  keys: readonly string[],
  aggregates: readonly AggregateColumn[],
  frame: Frame,
  context: LowerContext,
): void {
  const { sequence } = context;
  frame.label = sequence.call('group_data_by', {
    data_source: `$${frame.label}$`,
    key_name: oneOrMore([...new Set(keys)]),
  });
  for (const { expr, args } of aggregates) {
    frame.label = sequence.call('aggregate_data', { data_source: `$${frame.label}$`, ...args });
    frame.hold(expr, sequence.plan(frame.label).columns.at(-1)?.key as string);
  }
  frame.mode = 'grouped';
}

/** Groups of a subquery become plain rows: aggregates from here on are over them. */
export function closeGroups(frame: Frame, context: LowerContext): void {
  const { sequence } = context;
  if (!groupingOf(sequence.plan(frame.label))) return;
  frame.label = sequence.call('select_columns', {
    data_source: `$${frame.label}$`,
    key_name: oneOrMore(frame.keys()),
  });
  frame.constants.clear();
}
