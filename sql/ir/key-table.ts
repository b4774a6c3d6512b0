import type { CatalogColumn, CatalogTable } from '../../contracts/catalog.ts';
import type { Expr } from './nodes.ts';
import type { Origins } from './origins.ts';

/** The table whose rows a column identifies: its own when it is the key, or the one it refers to; else null. */
export function keyTable(expr: Expr, origins: Origins): CatalogTable | null {
  const base = origins.baseColumn(expr);
  if (base === null) return null;
  const { table, column } = base;
  if (soleKey(table) === column) return table;
  for (const key of table.foreign_keys) {
    if (key.columns.length !== 1 || key.columns[0] !== column.name) continue;
    const other = origins.tableNamed(key.references_table);
    const referred = other?.columns.find(({ name }) => name === key.references_columns[0]);
    if (other !== null && referred !== undefined && isUnique(other, referred)) return other;
  }
  return null;
}

/** The one column of a table's primary key; null where it has none or several. */
export function soleKey(table: CatalogTable): CatalogColumn | null {
  const [key, ...others] = table.columns.filter(({ primary_key }) => primary_key > 0);
  return others.length === 0 ? (key ?? null) : null;
}

/** A key of its own as declared, or as the rows have it. */
export function isUnique(table: CatalogTable, column: CatalogColumn): boolean {
  const keys = table.columns.filter(({ primary_key }) => primary_key > 0);
  if (column.primary_key > 0) return keys.length === 1;
  const { rows, nulls, distinct } = column.statistics;
  return keys.length === 0 && rows > 1 && nulls === 0 && distinct === rows;
}
