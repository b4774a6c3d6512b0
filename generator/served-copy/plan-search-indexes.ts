import Database from 'better-sqlite3';
import type { Catalog, Facet } from '../../contracts/catalog.ts';
import { type Collection, collectionsOf } from '../../services/domain/query-tool/collections.ts';
import { quoteIdentifier } from '../../sql/index.ts';
import { collectionSql } from './collection-sql.ts';

/** A collection whose words are to be searched. */
export interface SearchIndex {
  readonly collection: string;
  /** The properties that the words stand in. */
  readonly columns: readonly string[];
  /** Of joined tables: a SELECT of these properties, behind row ids called `id`. */
  readonly rows: string | null;
  /** What the texts may be about; none where a search is one for words. */
  readonly facets: readonly Facet[];
}

/** An index of more text would take minutes, and as much room as the table. */
const MOST_BYTES = 16 * 1024 * 1024;

/** No column of a full-text index can be called so. */
const RESERVED = new Set(['rank', 'rowid']);

/** The collections that can be searched: those with texts, and not too many of them. */
export function planSearchIndexes(catalog: Catalog, file: string): SearchIndex[] {
  const db = new Database(file, { readonly: true, fileMustExist: true });
  try {
    const virtual = virtualTables(db);
    return collectionsOf(catalog).flatMap((collection) => {
      const { name, table, joined, properties } = collection;
      const tables = joined ? [joined.from, joined.to] : [table];
      if (tables.some((each) => virtual.has(each.name))) return [];
      const columns = properties
        .filter(({ name, type }) => type === 'text' && !RESERVED.has(name.toLowerCase()))
        .map((each) => each.name);
      if (!table.has_rowid || table.view || columns.length === 0) return [];
      const rows = joined ? joinedRows(collection, columns) : null;
      const lengths = columns.map((column) => `total(length(CAST(${quoteIdentifier(column)} AS BLOB)))`);
      const bytes = db
        .prepare(`SELECT ${lengths.join(' + ')} FROM ${rows ? `(${rows})` : quoteIdentifier(name)}`)
        .pluck()
        .get();
      return Number(bytes) <= MOST_BYTES
        ? [{ collection: name, columns, rows, facets: collection.about?.column.facets ?? [] }]
        : [];
    });
  } finally {
    db.close();
  }
}

/** A full-text index cannot take its words from a virtual table, such as another full-text index. */
function virtualTables(db: Database.Database): Set<unknown> {
  return new Set(db.prepare("SELECT name FROM pragma_table_list WHERE type = 'virtual'").pluck().all());
}

function joinedRows(collection: Collection, columns: readonly string[]): string {
  const { from, column } = collectionSql(collection);
  const rowid = `${quoteIdentifier(collection.table.name)}.rowid AS id`;
  const list = columns.map((name) => `${column(name)} AS ${quoteIdentifier(name)}`);
  return `SELECT ${[rowid, ...list].join(', ')} FROM ${from}`;
}
