import type { CatalogTable } from '../../../contracts/catalog.ts';
import {
  columnsOf,
  conjuncts,
  type Expr,
  type FromItem,
  type Origins,
  type Select,
  type SourceId,
  sameExpr,
} from '../../../sql/index.ts';
import { isPadded } from '../../template/canonical-form.ts';
import { bare } from './patterns.ts';
import { plainJoins } from './plain-joins.ts';

/** The table that an outer join found no row of, when a column's NULL tells so. */
export function absentTable(expr: Expr, origins: Origins): CatalogTable | null {
  const inner = bare(expr);
  if (inner.kind !== 'column' || !isPadded(inner.source, origins)) return null;
  const table = origins.tableOf(inner.source);
  const base = origins.baseColumn(inner);
  const on = itemOf(inner.source, origins)?.on;
  if (table === null || base === null || !on) return null;
  const joined = columnsOf(on).some((column) => sameExpr(column, inner));
  return joined || base.column.not_null || base.column.primary_key > 0 ? table : null;
}

/** The item of a FROM that a source stands in. */
export function itemOf(source: SourceId, origins: Origins): FromItem | undefined {
  return origins.selectOf(source)?.from.find((item) => item.source.id === source);
}

/** The conditions of a join besides what goes without saying. */
export function joinFilters({ on }: FromItem, select: Select, origins: Origins): readonly Expr[] {
  const plain = plainJoins(select, origins);
  return conjuncts(on).filter((one) => !plain.has(one));
}

/** The outer-joined sources of a SELECT that its rows must have nothing of. */
export function absentSources({ where }: Select, origins: Origins): ReadonlySet<SourceId> {
  return new Set(
    conjuncts(where).flatMap((one) =>
      one.kind === 'is_null' &&
      !one.negated &&
      one.expr.kind === 'column' &&
      absentTable(one.expr, origins) !== null
        ? [one.expr.source]
        : [],
    ),
  );
}

/** The sources that rows are kept without: by a left join its own, by a right join those before it. */
export function paddedSources(select: Select, origins: Origins): readonly FromItem[] {
  const absent = absentSources(select, origins);
  return select.from.flatMap((item, at) => {
    if (absent.has(item.source.id)) return [];
    const before = item.join === 'right' || item.join === 'full' ? select.from.slice(0, at) : [];
    const own = item.join === 'left' || item.join === 'full' ? [item] : [];
    return [...own, ...before.map((other) => ({ ...other, on: item.on }))];
  });
}
