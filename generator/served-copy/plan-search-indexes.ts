import Database from 'better-sqlite3';
import type { Catalog } from '../../contracts/catalog.ts';
import { collectionsOf } from '../../services/domain/query-tool/collections.ts';
import { quoteIdentifier } from '../../sql/index.ts';

/** A table whose words are to be searched, and the columns that they stand in. */
export interface SearchIndex {
  readonly table: string;
  readonly columns: readonly string[];
}

/** An index of more text would take minutes, and as much room as the table. */
const MOST_BYTES = 16 * 1024 * 1024;

/** No column of a full-text index can be called so. */
const RESERVED = new Set(['rank', 'rowid']);

/** The tables that can be searched: those with texts, and not too many of them. */
export function planSearchIndexes(catalog: Catalog, file: string): SearchIndex[] {
  const db = new Database(file, { readonly: true, fileMustExist: true });
  try {
    return collectionsOf(catalog).flatMap(({ name, table, properties }) => {
      const columns = properties
        .filter(({ name, type }) => type === 'text' && !RESERVED.has(name.toLowerCase()))
        .map((each) => each.name);
      if (!table.has_rowid || table.view || columns.length === 0) return [];
      const lengths = columns.map((column) => `total(length(CAST(${quoteIdentifier(column)} AS BLOB)))`);
      const bytes = db
        .prepare(`SELECT ${lengths.join(' + ')} FROM ${quoteIdentifier(name)}`)
        .pluck()
        .get();
      return Number(bytes) <= MOST_BYTES ? [{ table: name, columns }] : [];
    });
  } finally {
    db.close();
  }
}
