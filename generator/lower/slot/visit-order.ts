import {
  conjunction,
  type FromItem,
  type NodeRewrite,
  node,
  type OrderTerm,
  type Query,
  rewriteNodes,
  type Select,
  type SourceId,
  selectBlocks,
} from '../../../sql/index.ts';

/**
 * The versions of a query with broken ties that tools can express, the shortest first. Where it sorts by the row ids of
 * joined tables, these are joined in that order: it is then the row order of their start table, which decides where no
 * other sort does. What stands between row ids can be sorted by only where a column shows them.
 */
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

/** A query with the tables of each SELECT joined in the order in which SQLite's loops visit them. */
export function inLoopOrder(query: Query, loops: readonly SourceId[]): Query {
  const rewrites = new Map<object, NodeRewrite>(
    selectBlocks(query).map(({ select }) => [select, (tree) => joinedInOrder(tree as Select, loops)]),
  );
  return rewriteNodes(query, rewrites);
}

/** The SELECT with its inner joins of tables in another order, the others last; as it was where that cannot be. */
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

function isInnerTable({ join, source }: FromItem): boolean {
  return source.kind === 'table' && (join === 'from' || join === 'inner' || join === 'cross');
}

/** The source whose row id a sort key is, or null. */
function rowIdOf({ expr }: OrderTerm): SourceId | null {
  return expr.kind === 'column' && expr.name === 'rowid' ? expr.source : null;
}
