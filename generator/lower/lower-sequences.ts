import { mapReferences } from '../../contracts/answer-rows.ts';
import type { Catalog } from '../../contracts/catalog.ts';
import { getterNames } from '../../contracts/getters.ts';
import type { Call } from '../../contracts/sample.ts';
import { startColumns } from '../../services/domain/tools/plan.ts';
import { hasGetters } from '../../services/domain/tools/toolboxes.ts';
import {
  conjunction,
  type FromItem,
  isInner,
  type NodeRewrite,
  node,
  type OrderTerm,
  type Query,
  rewriteNodes,
  type Select,
  type SourceId,
  selectBlocks,
} from '../../sql/index.ts';
import { filterRows } from './slot-conditions.ts';
import { evaluate } from './slot-expressions.ts';
import { limitOf, lowerRows, registerCtes } from './slot-rows.ts';
import { type LowerContext, Sequence, type SlotSequence } from './slot-sequence.ts';
import { lowerTable, retrieve, wholeTableValues } from './slot-subqueries.ts';

/** A query as SLOT calls. Throws QueryError UNSUPPORTED_CONSTRUCT, naming the clause that no tool expresses. */
export function lowerSlot(query: Query, catalog: Catalog): SlotSequence {
  const context = newContext(catalog);
  return context.sequence.finish(lowerOutputs(query, context));
}

function newContext(catalog: Catalog): LowerContext {
  const context: LowerContext = {
    sequence: new Sequence(catalog),
    ctes: new Map(),
    scalars: new Map(),
    evaluate: (expr, frame) => evaluate(expr, frame, context),
    filter: (condition, frame) => filterRows(condition, frame),
    table: (query, ordered) => lowerTable(query, context, ordered),
  };
  return context;
}

/** The labels of the result columns, in order. */
function lowerOutputs(query: Query, context: LowerContext): string[] {
  registerCtes(query, context);
  if (query.kind === 'select') return lowerSelect(query, context);
  const { limit, offset } = query.kind === 'set_operation' ? limitOf(query) : limitOf({ limit: null });
  const bare = query.kind === 'set_operation' ? { ...query, limit: null } : query;
  const { label, keys } = lowerTable(bare, context);
  const isColumn = bare.kind === 'set_operation' && keys.length === 1 && bare.orderBy.length === 0;
  if (isColumn && limit < 0) return [label];
  return keys.map((key) => retrieve(label, key, { distinct: false, limit, offset }, context));
}

function lowerSelect(select: Select, context: LowerContext): string[] {
  const values = wholeTableValues(select, context);
  if (values) return values;
  const { frame, keys, distinct } = lowerRows(select, context, { ordered: true, distinct: 'values' });
  const cut = { distinct, ...limitOf(select) };
  return keys.map((key) => retrieve(frame.label, key, cut, context));
}

/** Versions with broken ties, shortest first, where sorting by row ids becomes the order of joins. */
export function inVisitOrder(query: Query): Query[] {
  if (query.kind !== 'select') return [query];
  const first = query.orderBy.findIndex((term) => rowIdOf(term) !== null);
  if (first < 0 || !query.from.every(isInnerTable)) return [query];
  const joined = joinedInOrder(
    query,
    query.orderBy.flatMap((term) => rowIdOf(term) ?? []),
  );
  const isForward = query.orderBy.slice(first).every(({ direction }) => direction === 'asc');
  return isForward ? [node({ ...joined, orderBy: query.orderBy.slice(0, first) }), joined] : [joined];
}

/** Joins the tables of each SELECT in the order in which SQLite's loops visit them. */
export function inLoopOrder(query: Query, loops: readonly SourceId[]): Query {
  const rewrites = new Map<object, NodeRewrite>(
    selectBlocks(query).map(({ select }) => [select, (tree) => joinedInOrder(tree as Select, loops)]),
  );
  return rewriteNodes(query, rewrites);
}

/** Reorders inner joins of tables; returns the SELECT unchanged where that is impossible. */
function joinedInOrder(select: Select, order: readonly SourceId[]): Select {
  if (!select.from.every(isInnerTable)) return select;
  const place = ({ source }: FromItem) => {
    const at = order.indexOf(source.id);
    return at < 0 ? order.length : at;
  };
  const sorted = [...select.from].sort((a, b) => place(a) - place(b));
  if (sorted.every((item, i) => item === select.from[i])) return select;
  const conditions = select.from.flatMap(({ on }) => (on === null ? [] : [on]));
  const last = sorted.length - 1;
  return node({
    ...select,
    from: sorted.map((item, i) =>
      node({
        ...item,
        join: i === 0 ? 'from' : 'inner',
        on: i === last && i > 0 && conditions.length > 0 ? conjunction(conditions) : null,
      }),
    ),
  });
}

function isInnerTable(item: FromItem): boolean {
  return item.source.kind === 'table' && isInner(item);
}

/** The source whose row id is the sort key, or null. */
function rowIdOf({ expr }: OrderTerm): SourceId | null {
  return expr.kind === 'column' && expr.name === 'rowid' ? expr.source : null;
}

/** Start tables and answer are those of the SLOT sequence. */
type SelSequence = SlotSequence;

type Arguments = Readonly<Record<string, unknown>>;

/** Every SLOT call with its categorical arguments bound into the tool's name. */
export function lowerSel(slot: SlotSequence, startKeys: ReadonlySet<string>): SelSequence {
  const names = new Set(slot.output.map((call) => call.label));
  const output = slot.output.flatMap((call) => {
    const lower = LOWER[call.name];
    if (!lower) throw new Error(`no SEL tool corresponds to ${call.name}`);
    return chained(lower(call.arguments, startKeys), call.label as string, names);
  });
  return { ...slot, output };
}

interface SelStep {
  readonly name: string;
  readonly arguments: Record<string, unknown>;
}

const PREVIOUS = '$previous$';

/** Each step but the first works on the previous one; the last has the label. */
function chained(steps: readonly SelStep[], label: string, taken: Set<string | undefined>): Call[] {
  let previous = label;
  return steps.map((step, i) => {
    const last = i === steps.length - 1;
    const own = last ? label : freeLabel(`${label}_${i === 0 ? 'ALL' : 'UNIQUE'}`, taken);
    const args = mapReferences(step.arguments, (name) => (name === 'previous' ? `$${previous}$` : undefined));
    previous = own;
    return { name: step.name, arguments: args as Record<string, unknown>, label: own };
  });
}

function freeLabel(label: string, taken: Set<string | undefined>): string {
  let result = label;
  for (let n = 2; taken.has(result); n++) result = `${label}_${n}`;
  taken.add(result);
  return result;
}

/** By SLOT tool. */
const LOWER: Readonly<Record<string, (args: Arguments, startKeys: ReadonlySet<string>) => SelStep[]>> = {
  filter_data: ({ condition, ...rest }) => [{ name: `select_data_${condition}`, arguments: rest }],
  sort_data: ({ ascending, ...rest }) => [
    { name: ascending ? 'sort_data_ascending' : 'sort_data_descending', arguments: rest },
  ],
  group_data_by: (args) => [{ name: 'group_data_by', arguments: { ...args } }],
  aggregate_data: ({ aggregation_type, limit: _limit, ...rest }) => [
    { name: `compute_data_${aggregation_type}`, arguments: rest },
  ],
  transform_data: ({ operation_type, operation_args, new_key_name, ...rest }) => [
    {
      name: `transform_data_to_${operation_type}`,
      arguments: {
        ...rest,
        ...(operation_args as Arguments),
        ...(new_key_name === undefined ? {} : { new_key_name }),
      },
    },
  ],
  retrieve_data: lowerRetrieve,
  select_unique_values: (args) => [{ name: 'select_unique_values', arguments: { ...args } }],
  truncate: (args) => [{ name: 'truncate', arguments: { ...args } }],
  select_columns: (args) => [{ name: 'select_columns', arguments: { ...args } }],
  combine_rows: ({ combination, ...rest }) => [{ name: `combine_rows_${combination}`, arguments: rest }],
  combine_results: ({ combination, ...rest }) => [
    { name: `combine_results_${combination}`, arguments: rest },
  ],
  join_data: ({ join_type, ...rest }) => [{ name: `join_data_${join_type}`, arguments: rest }],
  calculate: ({ operation_type, operation_args, ...rest }) => [
    { name: `calculate_${operation_type}`, arguments: { ...rest, ...(operation_args as Arguments) } },
  ],
};

function lowerRetrieve(args: Arguments, startKeys: ReadonlySet<string>): SelStep[] {
  const { data_source, key_name, distinct, limit, offset = 0 } = args;
  const key = String(key_name);
  const name = getterNames(startKeys).get(key);
  const getter: SelStep = name
    ? { name, arguments: { data_source } }
    : { name: 'get_computed_column', arguments: { data_source, key_name } };
  const steps = [getter];
  if (distinct === true) steps.push({ name: 'select_unique_values', arguments: { unique_array: PREVIOUS } });
  if (Number(limit) >= 0 || Number(offset) > 0) {
    const n = Number(limit) >= 0 ? limit : Number.MAX_SAFE_INTEGER;
    const more = Number(offset) > 0 ? { offset } : {};
    steps.push({ name: 'truncate', arguments: { truncate_array: PREVIOUS, n, ...more } });
  }
  return steps;
}

/** The columns of the start tables that have getters. */
export function startKeysOf(sequence: SlotSequence, catalog: Catalog): Set<string> {
  const narrow = sequence.startTables.filter((start) => hasGetters(start, catalog));
  return new Set(narrow.flatMap((start) => startColumns(start, catalog).map(({ key }) => key)));
}
