import type Database from 'better-sqlite3';
import { facetIndex, searchIndex } from '../../contracts/search-index.ts';
import { quoteIdentifier } from '../../sql/index.ts';
import type { SearchIndex } from './plan-search-indexes.ts';

const TOKENIZER = "tokenize='porter unicode61 remove_diacritics 2'";

/**
 * Makes full-text indexes of the words of tables, and of joined tables, whose rows are a view. They hold no text of their
 * own, so that they can be made again from the rows. The same rows give the same bytes.
 */
export function createSearchIndexes(db: Database.Database, indexes: readonly SearchIndex[]): void {
  for (const { collection, columns, rows, facets } of indexes) {
    const name = searchIndex(collection);
    const content = quoteIdentifier(rows ? viewOf(name) : collection);
    if (rows) db.exec(`CREATE VIEW ${content} AS ${rows}`);
    const parts = [
      ...columns.map(quoteIdentifier),
      `content=${content}`,
      ...(rows ? ["content_rowid='id'"] : []),
      TOKENIZER,
    ];
    db.exec(`CREATE VIRTUAL TABLE ${quoteIdentifier(name)} USING fts5(${parts.join(', ')})`);
    if (facets.length > 0) createFacetIndex(db, facetIndex(collection), facets);
  }
  rebuildSearchIndexes(db);
}

/** The words of each facet, and its phrases as JSON. */
function createFacetIndex(db: Database.Database, name: string, facets: SearchIndex['facets']): void {
  const index = quoteIdentifier(name);
  db.exec(`CREATE VIRTUAL TABLE ${index} USING fts5(words, phrases UNINDEXED, ${TOKENIZER})`);
  const insert = db.prepare(`INSERT INTO ${index} (words, phrases) VALUES (?, ?)`);
  for (const { phrases, terms } of facets) {
    insert.run([...phrases, ...terms].join('\n'), JSON.stringify(phrases));
  }
}

function viewOf(index: string): string {
  return `${index}_rows`;
}

/** Reads the rows of all indexed tables once more, after they have changed. */
export function rebuildSearchIndexes(db: Database.Database): void {
  for (const name of searchIndexesOf(db).map(quoteIdentifier)) {
    db.exec(`INSERT INTO ${name}(${name}) VALUES ('rebuild')`);
    db.exec(`INSERT INTO ${name}(${name}) VALUES ('optimize')`);
  }
}

export function dropSearchIndexes(db: Database.Database): void {
  for (const name of searchIndexesOf(db)) {
    db.exec(`DROP TABLE ${quoteIdentifier(name)}`);
    db.exec(`DROP VIEW IF EXISTS ${quoteIdentifier(viewOf(name))}`);
  }
}

function searchIndexesOf(db: Database.Database): string[] {
  const virtual = db.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE 'CREATE VIRTUAL TABLE%' ORDER BY rowid",
  );
  const prefixes = [searchIndex(''), facetIndex('')];
  return (virtual.pluck().all() as string[]).filter((name) =>
    prefixes.some((prefix) => name.startsWith(prefix)),
  );
}
