import type Database from 'better-sqlite3';
import type { Catalog, CatalogColumn, CatalogTable } from '../../../contracts/catalog.ts';
import { readCollations } from './collations.ts';
import { columnType } from './column-type.ts';
import { readForeignKeys } from './foreign-keys.ts';
import { type ListedTable, listTables } from './list-tables.ts';
import { readStatistics, type TableStatistics } from './statistics.ts';

/**
 * The tables and views as the database itself describes them; friendly names are added later. Of `views`, only those with
 * statistics; without it, all views are read here, where nothing stops one that has no end.
 */
export function readCatalog(
  db: string,
  connection: Database.Database,
  views?: ReadonlyMap<string, TableStatistics>,
): Catalog {
  const tables = listTables(connection).filter(({ view, name }) => !view || !views || views.has(name));
  return {
    db,
    tables: tables.map((table) =>
      readTable(connection, table, tables, views?.get(table.name) ?? readStatistics(connection, table)),
    ),
  };
}

function readTable(
  connection: Database.Database,
  table: ListedTable,
  tables: readonly ListedTable[],
  { rows, columns: statistics }: TableStatistics,
): CatalogTable {
  const collations = readCollations(table);
  const columns = table.columns.map((column, index): CatalogColumn => {
    const counted = statistics[index];
    if (counted === undefined) throw new Error(`no statistics for ${table.name}.${column.name}`);
    return {
      name: column.name,
      declared_type: column.declared_type,
      type: columnType(column.declared_type, counted.storage),
      not_null: column.not_null,
      primary_key: column.primary_key,
      collation: collations.get(column.name) ?? 'BINARY',
      friendly_name: null,
      description: null,
      value_description: null,
      statistics: counted,
    };
  });
  return {
    name: table.name,
    friendly_name: null,
    description: null,
    rows,
    columns,
    foreign_keys: readForeignKeys(connection, table, tables),
    has_rowid: table.has_rowid,
    view: table.view,
  };
}
