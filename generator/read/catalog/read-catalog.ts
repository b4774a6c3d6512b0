import type Database from 'better-sqlite3';
import type { Catalog, CatalogColumn, CatalogTable } from '../../../contracts/catalog.ts';
import { quoteIdentifier } from '../../../sql/print.ts';
import { readCollations } from './collations.ts';
import { columnType } from './column-type.ts';
import { readForeignKeys } from './foreign-keys.ts';
import { type ListedTable, listTables } from './list-tables.ts';
import { readStatistics, type TableStatistics } from './statistics.ts';

/**
 * The tables and views as the database itself describes them; friendly names are added later. Of `views`, only those with
 * statistics; without it, all views are read here, where nothing stops one that has no end. `onRows` is called before each
 * table, and now and then within a large one, with about how many of its rows have been read.
 */
export function readCatalog(
  db: string,
  connection: Database.Database,
  {
    views,
    onRows,
  }: {
    readonly views?: ReadonlyMap<string, TableStatistics>;
    readonly onRows?: (table: string, rows: number) => void;
  } = {},
): Catalog {
  const tables = listTables(connection).filter(({ view, name }) => !view || !views || views.has(name));
  const statisticsOf = (table: ListedTable) => {
    onRows?.(table.name, 0);
    return views?.get(table.name) ?? readStatistics(connection, table, (rows) => onRows?.(table.name, rows));
  };
  return { db, tables: tables.map((table) => readTable(connection, table, tables, statisticsOf(table))) };
}

function readTable(
  connection: Database.Database,
  table: ListedTable,
  tables: readonly ListedTable[],
  { rows, columns: statistics }: TableStatistics,
): CatalogTable {
  const collations = table.view ? viewCollations(connection, table, tables) : readCollations(table);
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
    ...(table.view ? { reads: namesIn(table, tables) } : {}),
  };
}

/** The collations of those columns of a view that are columns of a table. */
function viewCollations(
  connection: Database.Database,
  { name, columns }: ListedTable,
  tables: readonly ListedTable[],
): Map<string, string> {
  const origins = connection.prepare(`SELECT * FROM ${quoteIdentifier(name)}`).columns();
  return new Map(
    columns.map((column, i) => {
      const origin = origins[i];
      const table = tables.find((each) => each.name === origin?.table);
      return [column.name, (table && readCollations(table).get(origin?.column ?? '')) ?? 'BINARY'];
    }),
  );
}

/** Tables that a view may read: names that its text has, as they are or with quotes doubled. That may be one too many. */
function namesIn({ name: own, sql }: ListedTable, tables: readonly ListedTable[]): string[] {
  const text = sql.toLowerCase();
  return tables
    .map(({ name }) => name)
    .filter((name) => {
      const plain = name.toLowerCase();
      const spellings = [plain, plain.replaceAll('"', '""'), plain.replaceAll('`', '``')];
      return name !== own && spellings.some((spelling) => text.includes(spelling));
    });
}
