import { type Expr, integerLiteral, type Window } from '../../../../sql/index.ts';
import { constantColumn, evaluateAsColumn, transform } from '../sequence/columns.ts';
import type { LowerContext } from '../sequence/context.ts';
import { evaluateExactly } from '../sequence/exact-argument.ts';
import type { Frame } from '../sequence/frame.ts';
import { newKey } from '../sequence/new-key.ts';
import { unsupported } from '../sequence/unsupported.ts';

const RANKS: Readonly<Record<string, string>> = {
  rank: 'rank',
  dense_rank: 'dense_rank',
  percent_rank: 'percent_rank',
  cume_dist: 'cumulative_share',
  row_number: 'row_number',
  ntile: 'bucket',
};

const OFFSETS: Readonly<Record<string, string>> = { lag: 'previous', lead: 'next' };
const EDGES: Readonly<Record<string, string>> = { first_value: 'first_value', last_value: 'last_value' };

const AGGREGATES: Readonly<Record<string, string>> = {
  sum: 'running_sum',
  avg: 'running_mean',
  count: 'running_count',
  min: 'running_min',
  max: 'running_max',
};

/** Adds a window function as a new column; returns the column. */
export function lowerWindow(expr: Window, frame: Frame, context: LowerContext): string {
  if (expr.filter) return evaluateAsColumn(withoutFilter(expr, expr.filter), frame, context);
  const partition = expr.partitionBy.map((part) => evaluateAsColumn(part, frame, context));
  const order = expr.orderBy.map(({ expr: by, direction, nulls }) => {
    if (nulls !== null) throw unsupported('nulls first', 'NULLS FIRST or LAST in a window');
    return { key_name: evaluateAsColumn(by, frame, context), ascending: direction === 'asc' };
  });
  const { operation, key, args } = call(expr, order, frame, context);
  const target = newKey(operation, key, frame, context);
  const partition_by = partition.length > 0 ? { partition_by: partition } : {};
  const made = transform(frame, key, operation, { ...args, ...partition_by }, target, context);
  frame.hold(expr, made);
  return made;
}

interface WindowCall {
  readonly operation: string;
  readonly key: string;
  readonly args: Record<string, unknown>;
}

type Order = readonly { key_name: string; ascending: boolean }[];

function call(expr: Window, order: Order, frame: Frame, context: LowerContext): WindowCall {
  const [value, second, third] = expr.args;
  const order_by = order.length > 0 ? { order_by: order } : {};
  const rank = RANKS[expr.name];
  if (rank) {
    const [first, ...rest] = order.length > 0 ? order : [unordered(frame, context)];
    if (!first) throw unsupported('window without ORDER BY', `${expr.name} without an order`);
    const more = rest.length > 0 ? { order_by: rest } : {};
    const buckets = rank === 'bucket' && value ? { buckets: evaluateExactly(value, frame, context) } : {};
    return {
      operation: rank,
      key: first.key_name,
      args: { ...buckets, ascending: first.ascending, ...more },
    };
  }
  const column = (part: Expr | undefined) =>
    part ? evaluateAsColumn(part, frame, context) : constantColumn(1, frame, context);
  const aggregate = AGGREGATES[expr.name];
  if (aggregate) {
    const key = column(value);
    if (!expr.frame) return { operation: aggregate, key, args: order_by };
    const { whole, ...bounds } = frameBounds(expr);
    return { operation: aggregate, key, args: whole ? {} : { ...order_by, ...bounds } };
  }
  const offset = OFFSETS[expr.name];
  if (offset) {
    const rows = second ? { rows: wholeNumber(second) } : {};
    const otherwise = third ? { default: evaluateExactly(third, frame, context) } : {};
    return { operation: offset, key: column(value), args: { ...rows, ...otherwise, ...order_by } };
  }
  const edge = EDGES[expr.name];
  const whole = expr.frame ? frameBounds(expr).whole : expr.name === 'first_value' || order.length === 0;
  if (edge && whole) return { operation: edge, key: column(value), args: order_by };
  throw unsupported(`${expr.name}() over`, `no operation does this window function`);
}

/** A column by which all rows are equal, so that they stay in row order. */
function unordered(frame: Frame, context: LowerContext): Order[number] {
  return { key_name: constantColumn(1, frame, context), ascending: true };
}

/** `f(x) FILTER (WHERE c) OVER …` as `f(CASE WHEN c THEN x END) OVER …`: these leave NULL out. */
function withoutFilter(expr: Window, filter: Expr): Window {
  if (!(expr.name in AGGREGATES)) throw unsupported('filter', `FILTER of ${expr.name}`);
  const result = expr.args[0] ?? integerLiteral(1n);
  const chosen: Expr = { kind: 'case', operand: null, whens: [{ when: filter, result }], else: null };
  return { ...expr, args: [chosen], star: false, filter: null };
}

function frameBounds(expr: Window): { whole: boolean; rows_before?: number; rows_after?: number } {
  const { mode, start, end, exclude } = expr.frame as NonNullable<Window['frame']>;
  const refuse = () => unsupported('window frame', 'a frame that is not of rows');
  if (exclude !== null) throw refuse();
  if (start.at === 'unbounded_preceding' && end.at === 'unbounded_following') return { whole: true };
  // The default frame, spelled out.
  if (mode === 'range' && start.at === 'unbounded_preceding' && end.at === 'current_row')
    return { whole: false };
  if (mode !== 'rows') throw refuse();
  const before =
    start.at === 'preceding'
      ? { rows_before: wholeNumber(start.offset) }
      : start.at === 'current_row'
        ? { rows_before: 0 }
        : {};
  if (start.at !== 'unbounded_preceding' && start.at !== 'preceding' && start.at !== 'current_row')
    throw refuse();
  if (end.at === 'current_row') return { whole: false, ...before, rows_after: 0 };
  if (end.at === 'following') return { whole: false, ...before, rows_after: wholeNumber(end.offset) };
  throw refuse();
}

function wholeNumber(expr: Expr): number {
  if (expr.kind === 'literal' && expr.type === 'integer') return Number(expr.value);
  throw unsupported('window frame', 'a bound that is not a number');
}
