import type Database from 'better-sqlite3';
import { searchIndex } from '../../contracts/search-index.ts';
import { quoteIdentifier } from '../../sql/index.ts';
import type { SearchIndex } from './plan-search-indexes.ts';

/**
 * Makes full-text indexes of the words of tables. They hold no text of their own, so that they can be made again from
 * the rows. The same rows give the same bytes.
 */
export function createSearchIndexes(db: Database.Database, indexes: readonly SearchIndex[]): void {
  for (const { table, columns } of indexes) {
    const content = quoteIdentifier(table);
    const parts = [
      ...columns.map(quoteIdentifier),
      `content=${content}`,
      "tokenize='porter unicode61 remove_diacritics 2'",
    ];
    db.exec(`CREATE VIRTUAL TABLE ${quoteIdentifier(searchIndex(table))} USING fts5(${parts.join(', ')})`);
  }
  rebuildSearchIndexes(db);
}

/** Reads the rows of all indexed tables once more, after they have changed. */
export function rebuildSearchIndexes(db: Database.Database): void {
  for (const name of searchIndexesOf(db).map(quoteIdentifier)) {
    db.exec(`INSERT INTO ${name}(${name}) VALUES ('rebuild')`);
    db.exec(`INSERT INTO ${name}(${name}) VALUES ('optimize')`);
  }
}

export function dropSearchIndexes(db: Database.Database): void {
  for (const name of searchIndexesOf(db)) db.exec(`DROP TABLE ${quoteIdentifier(name)}`);
}

function searchIndexesOf(db: Database.Database): string[] {
  const virtual = db.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE 'CREATE VIRTUAL TABLE%' ORDER BY rowid",
  );
  const prefix = searchIndex('');
  return (virtual.pluck().all() as string[]).filter((name) => name.startsWith(prefix));
}
