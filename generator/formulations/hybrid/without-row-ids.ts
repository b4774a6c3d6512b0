import type { Catalog, CatalogTable } from '../../../contracts/catalog.ts';
import { type Column, columnsOfQuery, node, Origins, type Query, rewriteExprs } from '../../../sql/index.ts';

/**
 * The query without row ids of some tables, of which APIs know nothing: where a table's key is its row id, the key says
 * the same. Null where it does not.
 */
export function withoutRowIds(query: Query, catalog: Catalog, tables: ReadonlySet<string>): Query | null {
  const origins = new Origins(query, catalog);
  const hidden = (column: Column): CatalogTable | null => {
    const table = column.name === 'rowid' ? origins.tableOf(column.source) : null;
    // A column may be called so.
    const isOwn = table?.columns.some(({ name }) => name === 'rowid');
    return table && !isOwn && tables.has(table.name) ? table : null;
  };
  const rewritten = rewriteExprs(query, (expr) => {
    if (expr.kind !== 'column') return null;
    const table = hidden(expr);
    const key = table && keyOf(table);
    return key ? node({ ...expr, name: key }) : null;
  });
  return columnsOfQuery(rewritten).some((column) => hidden(column)) ? null : rewritten;
}

/** The column that is another name of the row id. */
function keyOf({ columns, has_rowid }: CatalogTable): string | null {
  const keys = columns.filter(({ primary_key }) => primary_key > 0);
  const [only] = keys;
  const isRowId = keys.length === 1 && only?.declared_type.toUpperCase() === 'INTEGER' && has_rowid;
  return isRowId ? only.name : null;
}
