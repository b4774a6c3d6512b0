import type { Catalog } from '../../contracts/catalog.ts';
import {
  type Aggregate,
  type Column,
  type Expr,
  integerLiteral,
  isAggregated,
  type NodeRewrite,
  node,
  type OrderTerm,
  type Query,
  rewriteNodes,
  type Select,
  type SetOperation,
  type Source,
  sameExpr,
} from '../../sql/index.ts';
import { type Ambiguity, extremes, outsideAggregates } from './ambiguities.ts';
import { term, type VisitOrder } from './visit-order.ts';

/** The most combinations that are tried. */
const MAX_VERSIONS = 12;

/**
 * Versions of a query with added sort keys that break its ties, the likeliest first: the order in which SQLite visits
 * rows in one database, then others it may have used. Empty when sort keys cannot express it.
 */
export function tieBreakers(
  query: Query,
  open: readonly Ambiguity[],
  order: VisitOrder,
  catalog: Catalog,
): Query[] {
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

/** Ways to choose the row of each group that the bare columns come from. */
function rowChoices(select: Select, order: VisitOrder, catalog: Catalog): Choice[] {
  if (extremes(select).length > 0) return extremeRows(select, order, catalog);
  const loops = ownLoops(select, order);
  const rowids = loops.map((source) => term(source, 'rowid').expr);
  // Rows found in an index come in the order of its remaining columns.
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

/**
 * Ways to choose, among the rows that share a lone MIN or MAX, the one that the bare columns come from: the first of
 * these rows in some order. With GROUP BY this cannot be expressed.
 */
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
          query: node({
            kind: 'select',
            with: [],
            distinct: false,
            columns: [node({ expr: column, name: column.name, alias: null })],
            from,
            where,
            groupBy: [],
            having: null,
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
  return select.groupBy.map((expr) => node({ expr, direction, nulls: null }));
}

function withAllOutputs(query: SetOperation): SetOperation {
  let first: Query = query;
  while (first.kind === 'set_operation') first = first.left;
  const width = first.kind === 'select' ? first.columns.length : (first.rows[0]?.length ?? 0);
  const known = new Set(query.orderBy.flatMap(({ expr }) => (expr.kind === 'output' ? [expr.index] : [])));
  const more = Array.from({ length: width }, (_, index) => index).filter((index) => !known.has(index));
  return node({
    ...query,
    orderBy: [
      ...query.orderBy,
      ...more.map(
        (index): OrderTerm => node({ expr: node({ kind: 'output', index }), direction: 'asc', nulls: null }),
      ),
    ],
  });
}

/**
 * Sort keys that are unique for each row of a SELECT's joined sources, in the orders in which SQLite may visit them.
 */
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

/** The columns that identify a row of a source: the row id, a key, or failing these all columns. */
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

/** SELECT DISTINCT as groups in the order of their first rows; a lone MIN also determines the row that sorts them. */
function firstAppearances(select: Select, order: VisitOrder, catalog: Catalog): Choice[] {
  const tables = new Set(catalog.tables.filter((table) => table.has_rowid).map(({ name }) => name));
  return ownLoops(select, order)
    .filter((id) =>
      select.from.some(
        ({ source }) => source.id === id && source.kind === 'table' && tables.has(source.table),
      ),
    )
    .map((id): Choice => {
      const outputs = select.columns.map(
        ({ expr }): OrderTerm => node({ expr, direction: 'asc', nulls: null }),
      );
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

/** `min(expr)` as a sort key: SQLite then takes bare columns from the row that has it. */
function extreme(name: 'min' | 'max', arg: Expr): OrderTerm {
  const expr: Aggregate = node({
    kind: 'aggregate',
    name,
    args: [arg],
    star: false,
    distinct: false,
    filter: null,
    orderBy: [],
  });
  return node({ expr, direction: 'asc', nulls: null });
}
