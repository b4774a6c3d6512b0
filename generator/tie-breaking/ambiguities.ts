import type { Catalog } from '../../contracts/catalog.ts';
import {
  type Aggregate,
  type Column,
  childExprs,
  Determined,
  type Expr,
  innerQueries,
  isAggregated,
  ownExprs,
  type Query,
  queryExprs,
  type Select,
  type SetOperation,
  sameExpr,
  type Window,
} from '../../sql/index.ts';

/** A place where the answer depends on the order in which SQLite happens to visit rows. */
export type Ambiguity =
  /** LIMIT (or a subquery read as one value) picks among rows with equal sort keys. */
  | { readonly kind: 'limit'; readonly query: Select | SetOperation }
  /** A column outside an aggregate, not determined by the group: the value of some row. */
  | { readonly kind: 'bare_column'; readonly query: Select; readonly columns: readonly Column[] }
  /** SELECT DISTINCT sorted by an expression that it does not return. */
  | { readonly kind: 'distinct_order'; readonly query: Select }
  | { readonly kind: 'aggregate_order'; readonly query: Select; readonly aggregate: Aggregate }
  | { readonly kind: 'window_order'; readonly query: Select; readonly window: Window };

const ORDERED_AGGREGATES = new Set([
  'group_concat',
  'string_agg',
  'json_group_array',
  'json_group_object',
  'jsonb_group_array',
  'jsonb_group_object',
]);
/** Window functions that give rows tied in the window's order the same value. */
const PEER_WINDOWS = new Set(['rank', 'dense_rank', 'percent_rank', 'cume_dist']);

/** Every such place in a query. With none, the bag of rows is the same under any query plan. */
export function ambiguitiesOf(query: Query, catalog: Catalog): Ambiguity[] {
  return inQuery(query, catalog, false);
}

function inQuery(query: Query, catalog: Catalog, firstRowOnly: boolean): Ambiguity[] {
  const scalars = new Set(
    queryExprs(query).flatMap((expr) =>
      [...ownExprs(expr)].flatMap((part) => (part.kind === 'scalar_query' ? [part.query] : [])),
    ),
  );
  const inside = innerQueries(query).flatMap((inner) => inQuery(inner, catalog, scalars.has(inner)));
  if (query.kind === 'values') return inside;
  const cut = query.limit !== null || firstRowOnly;
  if (query.kind === 'set_operation') {
    return cut && !isTotalSet(query) ? [...inside, { kind: 'limit', query }] : inside;
  }
  return [...inside, ...inSelect(query, catalog, cut)];
}

function* inSelect(select: Select, catalog: Catalog, cut: boolean): Generator<Ambiguity> {
  const outside = select.columns.map(({ expr }) => expr);
  const order = select.orderBy.map(({ expr }) => expr);
  const later = [...outside, ...order, ...(select.having ? [select.having] : [])];

  if (isAggregated(select)) {
    // Sorting one row needs no key; a lone MIN or MAX determines the row of bare columns.
    const read = select.groupBy.length > 0 ? later : later.filter((expr) => !order.includes(expr));
    const [extreme, ...others] = extremes(select);
    const known = extreme && others.length === 0 ? [...select.groupBy, ...extreme.args] : select.groupBy;
    const group = new Determined(select, catalog, known);
    const columns = read.flatMap(outsideAggregates).filter((column) => !group.has(column));
    if (columns.length > 0) yield { kind: 'bare_column', query: select, columns };
  }
  if (select.distinct && !order.every((expr) => new Determined(select, catalog, outside).has(expr))) {
    yield { kind: 'distinct_order', query: select };
  }
  if (cut && !isTotal(select, catalog)) yield { kind: 'limit', query: select };
  for (const expr of later.flatMap((each) => [...ownExprs(each)])) {
    if (expr.kind === 'aggregate' && ORDERED_AGGREGATES.has(expr.name) && !isInOrder(expr, select, catalog)) {
      yield { kind: 'aggregate_order', query: select, aggregate: expr };
    }
    if (expr.kind === 'window' && !PEER_WINDOWS.has(expr.name) && !ignoresTies(expr, select, catalog)) {
      yield { kind: 'window_order', query: select, window: expr };
    }
  }
}

/** Whether rows with equal sort keys are equal, so that it does not matter which are cut. */
function isTotal(select: Select, catalog: Catalog): boolean {
  const order = select.orderBy.map(({ expr }) => expr);
  if (isAggregated(select)) {
    if (select.groupBy.length === 0) return true;
    const known = new Determined(select, catalog, order);
    if (select.groupBy.every((expr) => known.has(expr))) return true;
    return select.columns.every(({ expr }) => known.has(expr));
  }
  const known = new Determined(select, catalog, order);
  return known.singleRow || select.columns.every(({ expr }) => known.has(expr));
}

function isTotalSet(query: SetOperation): boolean {
  let select: Query = query;
  while (select.kind === 'set_operation') select = select.left;
  const width = select.kind === 'select' ? select.columns.length : (select.rows[0]?.length ?? 0);
  const covered = new Set(query.orderBy.flatMap(({ expr }) => (expr.kind === 'output' ? [expr.index] : [])));
  return covered.size === width;
}

/** Whether the window's value is independent of the order of rows tied in its ORDER BY. */
function ignoresTies(window: Window, select: Select, catalog: Catalog): boolean {
  const known = [...window.partitionBy, ...window.orderBy.map(({ expr }) => expr)];
  if (new Determined(select, catalog, known).singleRow) return true;
  // An aggregate over whole peer groups does not depend on the order within them.
  const wholePeers = window.frame === null || (window.frame.mode !== 'rows' && !window.frame.exclude);
  const aggregate = ['count', 'sum', 'avg', 'total', 'min', 'max'].includes(window.name);
  if (aggregate && wholePeers) return true;
  return (
    select.groupBy.length > 0 && select.groupBy.every((key) => known.some((each) => sameExpr(each, key)))
  );
}

/** Whether an aggregate orders its values, and without ties. */
function isInOrder(aggregate: Aggregate, select: Select, catalog: Catalog): boolean {
  const known = [...select.groupBy, ...aggregate.orderBy.map(({ expr }) => expr)];
  return aggregate.orderBy.length > 0 && new Determined(select, catalog, known).singleRow;
}

/** The MIN and MAX aggregates of a SELECT. */
export function extremes(select: Select): Aggregate[] {
  return queryExprs(select)
    .flatMap((expr) => [...ownExprs(expr)])
    .filter((part): part is Aggregate => part.kind === 'aggregate' && /^(min|max)$/.test(part.name));
}

/** Columns of an expression that are not inside an aggregate. */
export function outsideAggregates(expr: Expr): Column[] {
  if (expr.kind === 'aggregate') return [];
  if (expr.kind === 'column') return [expr];
  return childExprs(expr).flatMap(outsideAggregates);
}
