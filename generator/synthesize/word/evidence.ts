import type { Catalog } from '../../../contracts/catalog.ts';
import { exprsWithin, Origins, type Query, queriesOf, queryExprs } from '../../../sql/index.ts';

/** What codes in a query stand for, where the catalog's legend says so: `A = actual, E = estimated`. */
export function evidenceOf(query: Query, catalog: Catalog): string {
  const origins = new Origins(query, catalog);
  const found = new Set<string>();
  for (const expr of queriesOf(query).flatMap(queryExprs).flatMap(exprsWithin)) {
    const pairs =
      expr.kind === 'compare'
        ? [[expr.left, expr.right] as const]
        : expr.kind === 'in_list'
          ? expr.items.map((item) => [expr.expr, item] as const)
          : [];
    for (const [column, value] of pairs) {
      if (column.kind !== 'column' || value.kind !== 'literal' || value.type !== 'text') continue;
      const base = origins.baseColumn(column);
      const legend = base && meaningOf(value.value, base.column.value_description ?? '');
      if (legend) found.add(`${column.name} = '${value.value}' stands for ${legend}`);
    }
  }
  return [...found].join('; ');
}

/** What a legend says of a code. */
function meaningOf(code: string, legend: string): string | null {
  const escaped = code.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const match = new RegExp(`(?:^|[\\s,;"'])${escaped}["']?\\s*(?:=|:|stands for|means)\\s*([^,;.\\n]+)`).exec(
    legend,
  );
  return match?.[1]?.trim() || null;
}
