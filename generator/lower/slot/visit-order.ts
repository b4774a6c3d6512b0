import { conjunction, type FromItem, node, type Query, type Select } from '../../sql/index.ts';

/**
 * A settled query as the tools can say it. Where it sorts by the row ids of joined tables, these are joined in that
 * order: it is then the row order of their start table, which decides where no other sort does.
 */
export function inVisitOrder(query: Query): Query {
  if (query.kind !== 'select' || !query.from.every(isInnerTable)) return query;
  const order = rowIdsOf(query);
  if (order.length === 0) return query;
  const place = ({ source }: FromItem) => (order.indexOf(source.id) + order.length + 1) % (order.length + 1);
  const sorted = [...query.from].sort((a, b) => place(a) - place(b));
  const conditions = query.from.flatMap(({ on }) => (on === null ? [] : [on]));
  const last = sorted.length - 1;
  return node({
    ...query,
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

/** The sources by whose row ids a SELECT sorts, in that order. */
function rowIdsOf(select: Select): string[] {
  return select.orderBy.flatMap(({ expr }) =>
    expr.kind === 'column' && expr.name === 'rowid' ? [expr.source] : [],
  );
}
