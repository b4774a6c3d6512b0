import { columnsOf, type Expr, type Origins, type Select, type SourceId } from '../../../sql/index.ts';
import { isJoin, type JoinEdge, joinConditions, tellsApart } from './joins.ts';
import { absentSources } from './outer-joins.ts';

/**
 * The sources whose rows the joined rows of a SELECT are: none that another looks up, nor one of which the query
 * fixes a row. Of several each row is a combination.
 */
export function rowSources(
  select: Select,
  edges: readonly JoinEdge[],
  origins: Origins,
): readonly SourceId[] {
  const absent = absentSources(select, origins);
  const own = select.from.map(({ source }) => source.id).filter((id) => !absent.has(id));
  const parents = new Set(
    edges.filter(({ child }) => own.includes(child.source)).map(({ parent }) => parent.source),
  );
  const left = own.filter((id) => !parents.has(id));
  const joins = joinConditions(select).filter(isJoin);
  for (const id of [...left].reverse()) {
    const others = left.filter((other) => other !== id);
    if (joins.some((join) => looksUp(join, id, others, origins))) left.splice(left.indexOf(id), 1);
  }
  const fixed = fixedBy(select).flatMap((expr) => origins.baseColumn(expr) ?? []);
  const free = left.filter(
    (id) => !fixed.some(({ source, table, column }) => source === id && tellsApart(table, column)),
  );
  return [free, left, own.slice(0, 1)].find((ids) => ids.length > 0) ?? [];
}

/** What a SELECT groups by, or compares with a value or with a column of the query around it. */
export function fixedBy(select: Select): readonly Expr[] {
  if (select.groupBy.length > 0) return select.groupBy;
  return joinConditions(select).flatMap((one) => {
    if (one.kind !== 'compare' || one.op !== '=') return [];
    const inner = [one.left, one.right].filter(
      (side) => side.kind !== 'column' || select.from.some(({ source }) => source.id === side.source),
    );
    if (inner.length === 1) return inner;
    return columnsOf(one.right).length > 0 ? [] : [one.left];
  });
}

/** Whether an equality finds at most one row of a source for each row of others. */
function looksUp(join: Expr, id: SourceId, others: readonly SourceId[], origins: Origins): boolean {
  if (join.kind !== 'compare') return false;
  const sides = [join.left, join.right].flatMap((side) => (side.kind === 'column' ? [side] : []));
  const own = sides.find(({ source }) => source === id);
  const base = own === undefined ? null : origins.baseColumn(own);
  if (base === null || !sides.some(({ source }) => others.includes(source))) return false;
  return tellsApart(base.table, base.column, { orMissing: true });
}
