import { answerKind } from '../../../../services/domain/tools/plan/answer-kind.ts';
import type { Query, Select, SetOperation } from '../../../../sql/index.ts';
import { closeGroups } from '../rows/group-rows.ts';
import { isWholeTable, limitOf, lowerRows, lowerSource, registerCtes } from '../rows/lower-rows.ts';
import type { LowerContext, LoweredTable } from '../sequence/context.ts';
import type { Frame } from '../sequence/frame.ts';
import { oneOrMore } from '../sequence/one-or-more.ts';
import { unsupported } from '../sequence/unsupported.ts';

/** A subquery as one value: the label of a single value, or of a column whose first value it is. */
export function lowerAsValue(query: Query, context: LowerContext): string {
  const label = context.scalars.get(query) ?? lowerValue(query, context);
  context.scalars.set(query, label);
  return label;
}

function lowerValue(query: Query, context: LowerContext): string {
  if (query.kind === 'select') {
    const [value] = wholeTableValues(query, context) ?? [];
    if (value !== undefined) return value;
  }
  return lowerAsColumn(query, context, true);
}

/** A subquery as a list: the label of a column. Order matters only where it decides what is kept. */
export function lowerAsList(query: Query, context: LowerContext): string {
  return lowerAsColumn(query, context, query.kind !== 'values' && query.limit !== null);
}

/** A query as the label of one column (or value). */
export function lowerAsColumn(query: Query, context: LowerContext, ordered: boolean): string {
  if (query.kind === 'select') {
    const values = wholeTableValues(query, context);
    if (values) return single(values);
    const { frame, keys, distinct } = lowerRows(query, context, { ordered, distinct: 'values' });
    return retrieve(frame.label, single(keys), { distinct, ...limitOf(query) }, context);
  }
  const { label, keys } = lowerTable(query, context);
  return context.sequence.plan(label).columns.length === 1
    ? label
    : retrieve(label, single(keys), ALL, context);
}

/** The labels of the values of a SELECT that answers one row computed from the whole table, else null. */
export function wholeTableValues(select: Select, context: LowerContext): string[] | null {
  registerCtes(select, context);
  const { limit, offset } = limitOf(select);
  if (select.from.length === 0)
    return select.where
      ? null
      : select.columns.map(({ expr }) => asOneValue(asLabel(expr, null, context), context));
  if (!isWholeTable(select) || limit === 0 || offset > 0) return null;
  const frame = lowerSource(select, context);
  closeGroups(frame, context);
  return select.columns.map(({ expr }) => asLabel(expr, frame, context));
}

function asLabel(
  expr: Select['columns'][number]['expr'],
  frame: Frame | null,
  context: LowerContext,
): string {
  const value = context.evaluate(expr, frame);
  if (value.kind === 'key') throw unsupported('column', 'a column beside values of the whole table');
  const { argument } = value;
  if (typeof argument === 'string' && argument.startsWith('$') && argument.endsWith('$'))
    return argument.slice(1, -1);
  const args = { input: argument, operation_type: 'constant', operation_args: { value: argument } };
  return context.sequence.call('calculate', args);
}

/** The first value of a column, or NULL if it has none. */
function asOneValue(label: string, context: LowerContext): string {
  if (answerKind(context.sequence.plan(label)) === 'value') return label;
  const args = { input: `$${label}$`, operation_type: 'coalesce', operation_args: { operand: null } };
  return context.sequence.call('calculate', args);
}

const ALL = { distinct: false, limit: -1, offset: 0 };

/** Adds a call that reads a column; an offset is written only where there is one. */
export function retrieve(
  label: string,
  key: string,
  { distinct, limit, offset }: { distinct: boolean; limit: number; offset: number },
  context: LowerContext,
): string {
  return context.sequence.call('retrieve_data', {
    data_source: `$${label}$`,
    key_name: key,
    distinct,
    limit,
    ...(offset > 0 ? { offset } : {}),
  });
}

/** A query as a table, and the column of each of its result columns; `ordered`: its ORDER BY matters to the reader. */
export function lowerTable(query: Query, context: LowerContext, ordered = false): LoweredTable {
  switch (query.kind) {
    case 'select':
      return selectTable(query, context, ordered || query.limit !== null);
    case 'set_operation':
      return setOperationTable(query, context);
    case 'values':
      throw unsupported('values', 'VALUES as a table');
  }
}

function selectTable(select: Select, context: LowerContext, ordered: boolean): LoweredTable {
  if (select.from.length === 0) throw unsupported('select without from', 'a derived table without FROM');
  const { frame, keys } = lowerRows(select, context, { ordered, distinct: 'rows' });
  return { label: cut(frame.label, limitOf(select), context), keys };
}

/** The table with LIMIT and OFFSET applied. */
function cut(label: string, { limit, offset }: ReturnType<typeof limitOf>, context: LowerContext): string {
  if (limit < 0 && offset === 0) return label;
  const n = limit < 0 ? Number.MAX_SAFE_INTEGER : limit;
  const args = { truncate_array: `$${label}$`, n, ...(offset > 0 ? { offset } : {}) };
  return context.sequence.call('truncate', args);
}

/** UNION, INTERSECT, EXCEPT: the two sides as results with the same columns. */
function setOperationTable(query: SetOperation, context: LowerContext): LoweredTable {
  const { sequence } = context;
  registerCtes(query, context);
  let label = sequence.call('combine_results', {
    data_source: `$${lowerSide(query.left, context)}$`,
    other_data_source: `$${lowerSide(query.right, context)}$`,
    combination: query.op,
  });
  const keys = sequence.plan(label).columns.map(({ key }) => key);
  for (const { expr, direction, nulls } of [...query.orderBy].reverse()) {
    if (expr.kind !== 'output' || nulls !== null)
      throw unsupported('order by', 'a computed order of a set operation');
    const args = { key_name: keys[expr.index] as string, ascending: direction === 'asc' };
    label = sequence.call('sort_data', { data_source: `$${label}$`, ...args });
  }
  return { label: cut(label, limitOf(query), context), keys };
}

/** One side of a set operation: a column when it has one, else a table of just the result columns. */
function lowerSide(query: Query, context: LowerContext): string {
  if (query.kind === 'set_operation') return lowerTable(query, context).label;
  if (query.kind === 'select' && query.columns.length === 1)
    return lowerAsColumn(query, context, query.limit !== null);
  const { label, keys } = lowerTable(query, context);
  if (new Set(keys).size < keys.length)
    throw unsupported('set operation', 'a side with the same column twice');
  return context.sequence.call('select_columns', { data_source: `$${label}$`, key_name: oneOrMore(keys) });
}

function single<T>(items: readonly T[]): T {
  const [first] = items;
  if (first === undefined || items.length !== 1)
    throw unsupported('subquery', 'a subquery of several columns');
  return first;
}
