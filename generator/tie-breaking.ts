import type Database from 'better-sqlite3';
import type { Catalog } from '../contracts/catalog.ts';
import { registerScalars } from '../services/base/scalars/workspace.ts';
import {
  type Aggregate,
  type Column,
  childExprs,
  columnsOfQuery,
  Determined,
  type Expr,
  innerQueries,
  integerLiteral,
  isAggregated,
  type NodeRewrite,
  node,
  type OrderTerm,
  orderTerm,
  outputNames,
  ownExprs,
  plainAggregate,
  plainSelect,
  printQuery,
  type Query,
  queryExprs,
  rewriteNodes,
  type Select,
  type SetOperation,
  type Source,
  type SourceId,
  sameExpr,
  selectBlocks,
  type Window,
} from '../sql/index.ts';
import { withDatabase } from './oracle/engines.ts';
import { callsScalarApi } from './oracle/gold-sql.ts';

/** A query with the same answer on any copy of the rows, whatever its indexes. */
interface TiesBroken {
  /** Shares its literal objects with the original query. */
  readonly query: Query;
  /** The ambiguities left; if there are none, the answer does not depend on the plan. */
  readonly open: readonly Ambiguity[];
  /** Other ways to break the ties with the gold rows on the original, likeliest first. */
  readonly others: readonly Query[];
}

interface TieContext {
  readonly catalog: Catalog;
  /** The original database, where SQLite's plan shows how it broke the ties. */
  readonly file: string;
  /** How many states of the data there are, including the original. */
  readonly states: number;
  /** The number of states on which a version of the query gives the gold rows; 0 if not on the original. */
  readonly agreement: (version: Query) => Promise<number>;
}

/**
 * Adds sort keys where the answer depends on SQLite's plan, choosing those that give the gold rows on most
 * states of the data. If none does, returns the query unchanged.
 */
export async function breakTies(
  query: Query,
  { catalog, file, states, agreement }: TieContext,
): Promise<TiesBroken> {
  const open = ambiguitiesOf(query, catalog);
  if (open.length === 0) return { query, open, others: [] };
  const found: { readonly query: Query; readonly left: readonly Ambiguity[]; readonly score: number }[] = [];
  for (const version of tieBrokenVersions(query, open, file, catalog)) {
    const left = ambiguitiesOf(version, catalog);
    if (left.length >= open.length) continue;
    const score = await agreement(version);
    if (score > 0) found.push({ query: version, left, score });
    if (score === states && left.length === 0) break;
  }
  // Versions with fewer ambiguities come first, since indexes cannot change their answers.
  const [best, ...rest] = found.sort((a, b) => a.left.length - b.left.length || b.score - a.score);
  if (!best) return { query, open, others: [] };
  return { query: best.query, open: best.left, others: rest.map((other) => other.query) };
}

/** Versions with added sort keys; those that follow the plan on this database come first. */
export function tieBrokenVersions(
  query: Query,
  open: readonly Ambiguity[],
  file: string,
  catalog: Catalog,
): Query[] {
  return withDatabase(file, (db) => {
    // A plan does not depend on values.
    if (callsScalarApi(query)) registerScalars(db, () => []);
    return tieBreakers(query, open, visitOrder(db, query), catalog);
  });
}

/** A place where the answer depends on the order in which SQLite visits rows. */
export type Ambiguity =
  /** LIMIT (or a subquery used as one value) picks among rows with equal sort keys. */
  | { readonly kind: 'limit'; readonly query: Select | SetOperation }
  /** A column outside of aggregates, not determined by its group. */
  | { readonly kind: 'bare_column'; readonly query: Select; readonly columns: readonly Column[] }
  /** SELECT DISTINCT sorted by an expression that it does not return. */
  | { readonly kind: 'distinct_order'; readonly query: Select }
  | { readonly kind: 'aggregate_order'; readonly query: Select; readonly aggregate: Aggregate }
  | { readonly kind: 'window_order'; readonly query: Select; readonly window: Window };

const ORDERED_AGGREGATES =
  /^(group_concat|string_agg|json_group_array|json_group_object|jsonb_group_array|jsonb_group_object)$/;
/** Window functions that give tied rows the same value. */
const PEER_WINDOWS = new Set(['rank', 'dense_rank', 'percent_rank', 'cume_dist']);

/** The ambiguities of a query; without any, every query plan gives the same bag of rows. */
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
    if (
      expr.kind === 'aggregate' &&
      ORDERED_AGGREGATES.test(expr.name) &&
      !isInOrder(expr, select, catalog)
    ) {
      yield { kind: 'aggregate_order', query: select, aggregate: expr };
    }
    if (expr.kind === 'window' && !PEER_WINDOWS.has(expr.name) && !ignoresTies(expr, select, catalog)) {
      yield { kind: 'window_order', query: select, window: expr };
    }
  }
}

/** Whether rows with equal sort keys are equal, so that any of them may be cut. */
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
  const covered = new Set(query.orderBy.flatMap(({ expr }) => (expr.kind === 'output' ? [expr.index] : [])));
  return covered.size === outputNames(query).length;
}

/** Whether the window's value does not depend on the order of tied rows. */
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

function isInOrder(aggregate: Aggregate, select: Select, catalog: Catalog): boolean {
  const known = [...select.groupBy, ...aggregate.orderBy.map(({ expr }) => expr)];
  return aggregate.orderBy.length > 0 && new Determined(select, catalog, known).singleRow;
}

export function extremes(select: Select): Aggregate[] {
  return queryExprs(select)
    .flatMap((expr) => [...ownExprs(expr)])
    .filter((part): part is Aggregate => part.kind === 'aggregate' && /^(min|max)$/.test(part.name));
}

function outsideAggregates(expr: Expr): Column[] {
  if (expr.kind === 'aggregate') return [];
  if (expr.kind === 'column') return [expr];
  return childExprs(expr).flatMap(outsideAggregates);
}

const MAX_VERSIONS = 12;

/** Versions that break a query's ties, likeliest first; empty when sort keys cannot. */
function tieBreakers(query: Query, open: readonly Ambiguity[], order: VisitOrder, catalog: Catalog): Query[] {
  // LIMIT picks by the order of groups, before a group's row is chosen.
  const inTurn = [...open].sort((a, b) => Number(isBare(a)) - Number(isBare(b)));
  const choices = inTurn.map((ambiguity) => rewritesOf(ambiguity, order, catalog));
  if (choices.some((rewrites) => rewrites.length === 0)) return [];
  return combinations(choices, MAX_VERSIONS).map((chosen) => {
    const rewrites = new Map<object, NodeRewrite>();
    chosen.forEach(([at, rewrite]) => {
      const before = rewrites.get(at);
      rewrites.set(at, before ? (tree) => rewrite(before(tree)) : rewrite);
    });
    return rewriteNodes(query, rewrites);
  });
}

function isBare({ kind }: Ambiguity): boolean {
  return kind === 'bare_column';
}

type Choice = readonly [at: object, rewrite: NodeRewrite];

function rewritesOf(ambiguity: Ambiguity, order: VisitOrder, catalog: Catalog): Choice[] {
  switch (ambiguity.kind) {
    case 'limit': {
      const { query } = ambiguity;
      return query.kind === 'select'
        ? cutRewrites(query, order, catalog)
        : [[query, (tree) => withAllOutputs(tree as SetOperation)]];
    }
    case 'distinct_order':
      return isAggregated(ambiguity.query) ? [] : firstAppearances(ambiguity.query, order, catalog);
    case 'bare_column':
      return rowChoices(ambiguity.query, order, catalog);
    case 'window_order': {
      const { query, window } = ambiguity;
      const orders = isAggregated(query)
        ? [groupTerms(query, 'asc'), groupTerms(query, 'desc')]
        : rowOrders(query, order, catalog);
      return orders.map((terms) => [
        window,
        (tree) => node({ ...(tree as typeof window), orderBy: [...window.orderBy, ...terms] }),
      ]);
    }
    case 'aggregate_order': {
      const { query, aggregate } = ambiguity;
      return rowOrders(query, order, catalog).map((terms) => [
        aggregate,
        (tree) => node({ ...(tree as Aggregate), orderBy: [...aggregate.orderBy, ...terms] }),
      ]);
    }
  }
}

function cutRewrites(select: Select, order: VisitOrder, catalog: Catalog): Choice[] {
  if (select.distinct && !isAggregated(select)) return firstAppearances(select, order, catalog);
  const orders = isAggregated(select)
    ? [groupTerms(select, 'asc'), groupTerms(select, 'desc')]
    : rowOrders(select, order, catalog);
  return orders.map((terms) => [select, (tree) => sortedAlsoBy(tree as Select, terms)]);
}

/** Ways to choose the row of each group for its bare columns. */
function rowChoices(select: Select, order: VisitOrder, catalog: Catalog): Choice[] {
  if (extremes(select).length > 0) return extremeRows(select, order, catalog);
  const loops = ownLoops(select, order);
  const rowids = loops.map((source) => term(source, 'rowid').expr);
  // Rows found by an index come in the order of its remaining columns.
  const indexed = loops.flatMap((source) =>
    order
      .keys(source)
      .slice(0, 1)
      .filter(({ expr }) => !rowids.some((id) => sameExpr(id, expr))),
  );
  return [
    ...rowids.map((rowid) => extreme('min', rowid)),
    ...indexed.map(({ expr, direction }) => extreme(direction === 'asc' ? 'min' : 'max', expr)),
    ...rowids.map((rowid) => extreme('max', rowid)),
  ].map(
    (row): Choice => [select, (tree) => sortedAlsoBy(tree as Select, [...groupTerms(select, 'asc'), row])],
  );
}

/** Ways to choose among rows with the lone MIN or MAX; impossible with GROUP BY. */
function extremeRows(select: Select, order: VisitOrder, catalog: Catalog): Choice[] {
  const [lone, ...others] = extremes(select);
  const [arg] = lone?.args ?? [];
  const plain = select.groupBy.length === 0 && select.having === null && lone?.filter === null;
  if (arg === undefined || others.length > 0 || !plain) return [];
  const direction = lone?.name === 'max' ? 'desc' : 'asc';
  const best: OrderTerm = node({ expr: arg, direction, nulls: 'last' });
  return rowOrders(select, order, catalog).map((terms) => [
    select,
    (tree) => {
      const { from, where, columns } = tree as Select;
      const first = (column: Column) =>
        node({
          kind: 'scalar_query',
          query: plainSelect({
            columns: [node({ expr: column, name: column.name, alias: null })],
            from,
            where,
            orderBy: [best, ...terms],
            limit: node({ count: integerLiteral(1n, null), offset: null }),
          }),
        });
      const bare = columns.flatMap(({ expr }) => outsideAggregates(expr));
      const rewrites = new Map<object, NodeRewrite>(bare.map((column) => [column, () => first(column)]));
      return node({
        ...(tree as Select),
        columns: columns.map((column) => rewriteNodes(column, rewrites)),
        orderBy: [],
      });
    },
  ]);
}

function combinations(choices: readonly (readonly Choice[])[], limit: number): Choice[][] {
  let all: Choice[][] = [[]];
  for (const rewrites of choices) {
    all = rewrites.flatMap((rewrite) => all.map((chosen) => [...chosen, rewrite])).slice(0, limit);
  }
  return all;
}

function sortedAlsoBy(select: Select, terms: readonly OrderTerm[]): Select {
  const known = select.orderBy.map(({ expr }) => expr);
  const more = terms.filter(({ expr }, i) => {
    const earlier = [...known, ...terms.slice(0, i).map((each) => each.expr)];
    return !earlier.some((each) => sameExpr(each, expr));
  });
  return node({ ...select, orderBy: Object.freeze([...select.orderBy, ...more]) });
}

function groupTerms(select: Select, direction: 'asc' | 'desc'): OrderTerm[] {
  return select.groupBy.map((expr) => orderTerm(expr, direction));
}

function withAllOutputs(query: SetOperation): SetOperation {
  const known = new Set(query.orderBy.flatMap(({ expr }) => (expr.kind === 'output' ? [expr.index] : [])));
  const more = [...outputNames(query).keys()].filter((index) => !known.has(index));
  return node({
    ...query,
    orderBy: [...query.orderBy, ...more.map((index) => orderTerm(node({ kind: 'output', index })))],
  });
}

/** Unique sort keys for the joined rows, in orders in which SQLite may visit them. */
function rowOrders(select: Select, order: VisitOrder, catalog: Catalog): OrderTerm[][] {
  const sources = new Map(select.from.map(({ source }) => [source.id, source]));
  const loops = ownLoops(select, order);
  const rest = [...sources.keys()].filter((id) => !loops.includes(id));
  const ids = [...loops, ...rest];
  const keys = (id: string) => keysOf(sources.get(id), order, catalog);
  const rowids = (id: string) => rowKeys(sources.get(id), catalog);
  const flip = ({ expr, direction, nulls }: OrderTerm): OrderTerm =>
    node({ expr, direction: direction === 'asc' ? 'desc' : 'asc', nulls });

  const [outer = '', ...inner] = ids;
  const forward = ids.flatMap(keys);
  const backward = [...keys(outer).map(flip), ...inner.flatMap(keys)];
  const orders = order.sortsByIndex ? [backward, forward] : [forward, backward];
  return [
    ...orders,
    ids.flatMap(rowids),
    [...sources.keys()].flatMap(rowids),
    [...sources.keys()].reverse().flatMap(rowids),
    forward.map(flip),
  ];
}

function ownLoops(select: Select, order: VisitOrder): string[] {
  const own = new Set(select.from.map(({ source }) => source.id));
  return order.sources.filter((id) => own.has(id));
}

function keysOf(source: Source | undefined, order: VisitOrder, catalog: Catalog): OrderTerm[] {
  if (!source) return [];
  const row = rowKeys(source, catalog);
  const byRowid = row.length === 1 && row[0]?.expr.kind === 'column' && row[0].expr.name === 'rowid';
  return byRowid ? [...order.keys(source.id)] : row;
}

/** Columns that identify a row of a source: the row id, a key, or else all columns. */
function rowKeys(source: Source | undefined, catalog: Catalog): OrderTerm[] {
  if (!source) return [];
  if (source.kind === 'derived') return outputsOf(source.query).map((name) => term(source.id, name));
  if (source.kind === 'cte') return [];
  const table = catalog.tables.find(({ name }) => name === source.table);
  if (!table || table.has_rowid) return [term(source.id, 'rowid')];
  const key = table.columns.filter(({ primary_key }) => primary_key > 0);
  return (key.length > 0 ? key : table.columns).map(({ name }) => term(source.id, name));
}

function outputsOf(query: Query): string[] {
  if (query.kind === 'set_operation') return outputsOf(query.left);
  return query.kind === 'select' ? query.columns.map(({ name }) => name) : [];
}

/** SELECT DISTINCT as groups in the order of first rows; a lone MIN also determines the sorting row. */
function firstAppearances(select: Select, order: VisitOrder, catalog: Catalog): Choice[] {
  const tables = new Set(catalog.tables.filter((table) => table.has_rowid).map(({ name }) => name));
  return ownLoops(select, order)
    .filter((id) =>
      select.from.some(
        ({ source }) => source.id === id && source.kind === 'table' && tables.has(source.table),
      ),
    )
    .map((id): Choice => {
      const outputs = select.columns.map(({ expr }) => orderTerm(expr));
      return [
        select,
        (tree) => {
          const grouped = node({
            ...(tree as Select),
            distinct: false,
            groupBy: select.columns.map(({ expr }) => expr),
          });
          return sortedAlsoBy(grouped, [extreme('min', term(id, 'rowid').expr), ...outputs]);
        },
      ];
    });
}

/** `min(expr)` as a sort key: SQLite takes bare columns from the row that has it. */
function extreme(name: 'min' | 'max', arg: Expr): OrderTerm {
  return orderTerm(plainAggregate(name, [arg]));
}

/** The order in which SQLite visits the rows of a query's tables in one database. */
interface VisitOrder {
  /** In the nesting order of loops, outermost first; all SELECTs in turn. */
  readonly sources: readonly SourceId[];
  /** The sort order of each loop's rows: columns of the index it follows, then the row id. */
  keys(source: SourceId): readonly OrderTerm[];
  /** Whether some ORDER BY follows an index, perhaps backwards, instead of a sort. */
  readonly sortsByIndex: boolean;
}

const LOOP = /^(?:SCAN|SEARCH) (T\d+)(?: USING (.*?))?(?: LEFT-JOIN| RIGHT-JOIN)*$/;
const INDEX = /^(AUTOMATIC )?(?:PARTIAL )?(?:COVERING )?INDEX(?: ([^\s(]\S*))?(?: \((.*)\))?$/;

export function visitOrder(db: Database.Database, query: Query): VisitOrder {
  const steps = db.prepare(`EXPLAIN QUERY PLAN ${printQuery(query)}`).all() as { detail: string }[];
  const loops = new Map<SourceId, string>();
  for (const { detail } of steps) {
    const [, source, access = ''] = LOOP.exec(detail) ?? [];
    if (source !== undefined && !loops.has(source)) loops.set(source, access);
  }
  return {
    sources: [...loops.keys()],
    keys: (source) => [...indexKeys(db, query, source, loops.get(source) ?? ''), term(source, 'rowid')],
    sortsByIndex: !steps.some(({ detail }) => /^USE TEMP B-TREE FOR .*ORDER BY$/.test(detail)),
  };
}

function indexKeys(db: Database.Database, query: Query, source: SourceId, access: string): OrderTerm[] {
  const [found, automatic, name, conditions = ''] = INDEX.exec(access) ?? [];
  if (!found) return [];
  const bound = new Set([...conditions.matchAll(/(\w+)=\?/g)].map(([, column]) => column));
  if (automatic) {
    // An automatic index has the columns looked up, then the other columns used, in the table's order.
    const used = new Set(
      columnsOfQuery(query).flatMap((column) => (column.source === source ? [column.name] : [])),
    );
    return columnNames(db, tableOf(query, source))
      .filter((column) => used.has(column) && !bound.has(column))
      .map((column) => term(source, column));
  }
  const columns = db
    .prepare(
      'SELECT name, "desc" FROM pragma_index_xinfo(?) WHERE key = 1 AND name IS NOT NULL ORDER BY seqno',
    )
    .all(name ?? '') as { name: string; desc: number }[];
  return columns
    .filter((column) => !bound.has(column.name))
    .map((column) => term(source, column.name, column.desc === 1 ? 'desc' : 'asc'));
}

function columnNames(db: Database.Database, table: string): string[] {
  return db.prepare('SELECT name FROM pragma_table_xinfo(?) ORDER BY cid').pluck().all(table) as string[];
}

function tableOf(query: Query, id: SourceId): string {
  const sources = selectBlocks(query).flatMap(({ select }) => select.from.map(({ source }) => source));
  const found = sources.find((source) => source.id === id);
  return found?.kind === 'table' ? found.table : '';
}

function term(source: SourceId, name: string, direction: 'asc' | 'desc' = 'asc'): OrderTerm {
  return orderTerm(node({ kind: 'column', source, name }), direction);
}
