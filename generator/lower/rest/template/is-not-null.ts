import type { CatalogColumn, CatalogTable } from '../../../../contracts/catalog.ts';
import type { Expr, SourceId } from '../../../sql/index.ts';
import type { Origins } from '../tree/origins.ts';

/** Whether the schema forbids NULL here, whatever the rows: a NOT NULL column that no outer join pads. */
export function isNotNull(expr: Expr, origins: Origins): boolean {
  if (expr.kind === 'literal') return expr.type !== 'null';
  if (expr.kind !== 'column' || isPadded(expr.source, origins)) return false;
  const table = origins.tableOf(expr.source);
  const column = table?.columns.find(({ name }) => name === expr.name);
  return table !== null && column !== undefined && forbidsNull(table, column);
}

/** NOT NULL as declared, or the row id by another name; other primary keys of SQLite may hold NULL. */
export function forbidsNull(table: CatalogTable, column: CatalogColumn): boolean {
  if (column.not_null) return true;
  const keys = table.columns.filter(({ primary_key }) => primary_key > 0);
  const isRowid =
    keys.length === 1 && column.primary_key > 0 && column.declared_type.toUpperCase() === 'INTEGER';
  return isRowid && table.has_rowid && !table.view;
}

/** Whether an outer join can fill a source's columns with NULL. */
export function isPadded(source: SourceId, origins: Origins): boolean {
  const from = origins.selectOf(source)?.from ?? [];
  const at = from.findIndex((item) => item.source.id === source);
  const own = from[at]?.join;
  if (own === 'left' || own === 'full') return true;
  return from.slice(at + 1).some(({ join }) => join === 'right' || join === 'full');
}
