import type { Catalog } from '../../../contracts/catalog.ts';
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
} from '../../../sql/index.ts';
import { filterRows } from './conditions.ts';
import { evaluate } from './expressions.ts';
import { limitOf, lowerRows, registerCtes } from './rows.ts';
import { type LowerContext, Sequence, type SlotSequence } from './sequence.ts';
import { lowerTable, retrieve, wholeTableValues } from './subqueries.ts';

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
    filter: (condition, frame) => filterRows(condition, frame, context),
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
