import type { CatalogColumn, CatalogTable } from '../../contracts/catalog.ts';
import {
  type Column,
  conjuncts,
  type Expr,
  isInner,
  type Origins,
  type Select,
  type SourceId,
  soleKey,
} from '../../sql/index.ts';

/**
 * Whether there is no NULL here, whatever the rows: a NOT NULL column that no outer join pads, or one that a
 * condition of its query would not let through.
 */
export function isNotNull(expr: Expr, origins: Origins): boolean {
  if (expr.kind === 'literal') return expr.type !== 'null';
  if (expr.kind !== 'column') return false;
  const select = origins.selectOf(expr.source);
  if (select !== null && conditionsOf(select).some((one) => rejectsNull(one, expr))) return true;
  if (isPadded(expr.source, origins)) return false;
  const table = origins.tableOf(expr.source);
  const column = table?.columns.find(({ name }) => name === expr.name);
  return table !== null && column !== undefined && forbidsNull(table, column);
}

/** NOT NULL as declared, or the row id by another name; other primary keys of SQLite may hold NULL. */
function forbidsNull(table: CatalogTable, column: CatalogColumn): boolean {
  if (column.not_null) return true;
  const isRowid = soleKey(table) === column && column.declared_type.toUpperCase() === 'INTEGER';
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

/** The conditions that every row of a SELECT meets. */
function conditionsOf({ where, from }: Select): readonly Expr[] {
  return [where, ...(from.every(isInner) ? from.map(({ on }) => on) : [])].flatMap(conjuncts);
}

/** Whether a condition is never met where the column is NULL. */
function rejectsNull(condition: Expr, column: Column): boolean {
  const isIt = (expr: Expr) =>
    expr.kind === 'column' && expr.source === column.source && expr.name === column.name;
  switch (condition.kind) {
    case 'compare':
      return /^(is|is_not)$/.test(condition.op) ? false : isIt(condition.left) || isIt(condition.right);
    case 'is_null':
      return condition.negated && isIt(condition.expr);
    case 'between':
    case 'like':
    case 'in_list':
      return isIt(condition.expr);
    default:
      return false;
  }
}
