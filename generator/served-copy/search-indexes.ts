import Database from 'better-sqlite3';
import type { Catalog, Facet } from '../../contracts/catalog.ts';
import { facetIndex, searchIndex } from '../../contracts/service.ts';
import { type Collection, collectionsOf } from '../../services/domain/query/collections.ts';
import { quoteIdentifier } from '../../sql/index.ts';

const TOKENIZER = "tokenize='porter unicode61 remove_diacritics 2'";

/** Full-text indexes without content of their own, so that they can be rebuilt. Deterministic. */
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

/** Rebuilds the indexes after rows have changed. */
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

/** A collection with full-text search. */
export interface SearchIndex {
  readonly collection: string;
  /** The properties searched. */
  readonly columns: readonly string[];
  /** For joined tables: a SELECT of these properties and a row id `id`. */
  readonly rows: string | null;
  /** Subjects of the texts; empty where search is by words. */
  readonly facets: readonly Facet[];
}

/** A larger index would take minutes, and as much space as the table. */
const MOST_BYTES = 16 * 1024 * 1024;

/** Not allowed as column names of a full-text index. */
const RESERVED = new Set(['rank', 'rowid']);

/** Indexes for the collections with texts, up to a limit of size. */
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

/** A full-text index cannot have a virtual table as its content. */
function virtualTables(db: Database.Database): Set<unknown> {
  return new Set(db.prepare("SELECT name FROM pragma_table_list WHERE type = 'virtual'").pluck().all());
}

function joinedRows(collection: Collection, columns: readonly string[]): string {
  const { from, column } = collectionSql(collection);
  const rowid = `${quoteIdentifier(collection.table.name)}.rowid AS id`;
  const list = columns.map((name) => `${column(name)} AS ${quoteIdentifier(name)}`);
  return `SELECT ${[rowid, ...list].join(', ')} FROM ${from}`;
}

/** A collection of the query tool in plain SQL. */
export interface CollectionSql {
  readonly from: string;
  readonly column: (property: string) => string;
}

/** A table, or a join on the key with its columns prefixed by their table. */
export function collectionSql({ name, joined, properties }: Collection): CollectionSql {
  if (!joined) return { from: quoteIdentifier(name), column: quoteIdentifier };
  const { from, to, key } = joined;
  const [first, second] = [quoteIdentifier(from.name), quoteIdentifier(to.name)];
  const pairs = key.columns.map(
    (column, i) =>
      `${first}.${quoteIdentifier(column)} = ${second}.${quoteIdentifier(key.references_columns[i] ?? '')}`,
  );
  return {
    from: `${first} JOIN ${second} ON ${pairs.join(' AND ')}`,
    column(wanted) {
      const property = properties.find((each) => each.name === wanted);
      if (!property) throw new Error(`${name} has no property ${wanted}`);
      return `${quoteIdentifier(property.table)}.${quoteIdentifier(property.column.name)}`;
    },
  };
}
