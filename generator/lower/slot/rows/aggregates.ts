import { type Aggregate, type Expr, exprKey, node } from '../../../../sql/index.ts';
import { evaluateAsColumn } from '../sequence/columns.ts';
import type { LowerContext } from '../sequence/context.ts';
import type { Frame } from '../sequence/frame.ts';
import { unsupported } from '../sequence/unsupported.ts';
import { sortRows } from './sort-rows.ts';

const TYPES: Readonly<Record<string, string>> = {
  min: 'min',
  max: 'max',
  sum: 'sum',
  avg: 'mean',
  count: 'count',
  total: 'total',
  median: 'median',
  group_concat: 'group_concat',
  string_agg: 'group_concat',
};

/** The value of an aggregate over the whole table, as a label; computed once. */
export function wholeTableAggregate(expr: Aggregate, frame: Frame, context: LowerContext): string {
  const known = frame.values.get(exprKey(expr));
  if (known !== undefined) return known;
  const { value, rows: chosen } = chosenRows(withoutFilter(expr), frame, context);
  const rows = takesOrder(expr) ? chosen.fork() : chosen;
  if (takesOrder(expr)) sortRows(expr.orderBy, rows, context);
  const args = aggregateArguments(value, rows, context);
  const label = context.sequence.call('aggregate_data', { data_source: `$${rows.label}$`, ...args });
  frame.values.set(exprKey(expr), label);
  return label;
}

/** Whether an aggregate says in which order it takes its values, and it matters. */
export function takesOrder({ name, orderBy }: Aggregate): boolean {
  return ORDER_SENSITIVE.has(name) && orderBy.length > 0;
}

/** Aggregates whose value depends on the order of the rows. */
export const ORDER_SENSITIVE: ReadonlySet<string> = new Set(['group_concat', 'string_agg']);

/** The arguments of `aggregate_data` other than its data source; the aggregated expression becomes a column. */
export function aggregateArguments(expr: Aggregate, frame: Frame, context: LowerContext) {
  const plain = withoutFilter(expr);
  const type = TYPES[plain.name];
  if (!type) throw unsupported(`${plain.name}()`, `no aggregation does ${plain.name}`);
  const [value, separator] = plain.args;
  if (separator && (separator.kind !== 'literal' || separator.type !== 'text')) {
    throw unsupported('separator', 'the separator of group_concat must be a text literal');
  }
  return {
    key_name: !value || countsRows(plain) ? '*' : evaluateAsColumn(value, frame, context),
    aggregation_type: type,
    distinct: plain.distinct,
    limit: -1,
    ...(separator?.kind === 'literal' ? { separator: separator.value } : {}),
  };
}

/** `f(CASE WHEN c THEN x END)` is `f(x)` of the rows where c is true, since aggregates leave NULL out. */
function chosenRows(expr: Aggregate, frame: Frame, context: LowerContext): { value: Aggregate; rows: Frame } {
  const [chosen, ...rest] = expr.args;
  if (chosen?.kind !== 'case' || chosen.operand !== null || chosen.whens.length !== 1)
    return { value: expr, rows: frame };
  const [when] = chosen.whens;
  const otherwise = chosen.else;
  if (!when || (otherwise !== null && !(otherwise.kind === 'literal' && otherwise.type === 'null'))) {
    return { value: expr, rows: frame };
  }
  const rows = frame.fork();
  context.filter(when.when, rows);
  return { value: node({ ...expr, args: [when.result, ...rest] }), rows };
}

/** COUNT(*) and COUNT(1). */
function countsRows(expr: Aggregate): boolean {
  const [value] = expr.args;
  if (expr.star || !value) return true;
  return expr.name === 'count' && !expr.distinct && value.kind === 'literal' && value.type !== 'null';
}

/** `f(x) FILTER (WHERE c)` is `f(CASE WHEN c THEN x END)`. */
function withoutFilter(expr: Aggregate): Aggregate {
  if (!expr.filter) return expr;
  const one: Expr = { kind: 'literal', pinned: false, span: null, type: 'integer', value: 1n };
  const [value, ...rest] = expr.args;
  const chosen: Expr = node({
    kind: 'case',
    operand: null,
    whens: [{ when: expr.filter, result: value ?? one }],
    else: null,
  });
  return node({ ...expr, args: [chosen, ...rest], star: false, filter: null });
}
