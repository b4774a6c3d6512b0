import { chmodSync } from 'node:fs';
import Database from 'better-sqlite3';
import type { Catalog, CatalogColumn, Facet } from '../../contracts/catalog.ts';
import { groupBy } from '../../contracts/grouping.ts';
import { facetIndex, isOwnTable, searchIndex } from '../../contracts/service.ts';
import { type Collection, collectionsOf } from '../../services/domain/query/collections.ts';
import {
  type Column,
  type Expr,
  ownExprs,
  type Query,
  queriesOf,
  queryExprs,
  quoteIdentifier,
  rowidAlias,
  type SourceId,
} from '../../sql/index.ts';
import { copyWritable, openUnsafely, withDatabase } from './engines.ts';
import { pinSchema } from './gold-sql.ts';

/**
 * Copies pages, not rows, which keeps row ids, then adds indexes and statistics. The same input gives the
 * same bytes. The original must be at rest (`readablePath`). Indexes that SQLite refuses are left out: on
 * virtual tables, or by unknown collations. What rows take from the clock when they change is the reference time.
 */
export function makeServedCopy(
  original: string,
  target: string,
  indexes: readonly Index[],
  searched: readonly SearchIndex[] = [],
  analyzed = true,
  referenceTime?: string,
): void {
  copyWritable(original, target);
  const db = openUnsafely(target);
  try {
    if (referenceTime !== undefined) pinSchema(db, referenceTime);
    db.transaction(() => {
      const names = new Set(db.prepare('SELECT lower(name) FROM sqlite_master').pluck().all() as string[]);
      for (const index of indexes) {
        if (!isIndexed(db, index)) unlessRefused(() => createIndex(db, index, names));
      }
    })();
    const tables = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY rowid").pluck();
    for (const table of analyzed ? (tables.all() as string[]) : []) {
      if (!table.startsWith('sqlite_')) unlessRefused(() => db.exec(`ANALYZE ${quoteIdentifier(table)}`));
    }
    // With sqlite_stat4 every execution with bound values is planned again; sqlite_stat1 is enough.
    db.exec('DROP TABLE IF EXISTS sqlite_stat4');
    db.transaction(() => {
      dropSearchIndexes(db);
      createSearchIndexes(db, searched);
    })();
    db.pragma('journal_mode = DELETE');
  } finally {
    db.close();
  }
  chmodSync(target, 0o444);
}

function unlessRefused(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof Database.SqliteError) || !error.code.startsWith('SQLITE_ERROR')) throw error;
  }
}

/** The name of an index, before a number is appended to duplicates. */
export function indexName({ table, columns }: Index): string {
  return ['rookery', table, ...columns].join('_').replace(/[^A-Za-z0-9_]/g, '_');
}

function createIndex(db: Database.Database, index: Index, taken: Set<string>): void {
  const { table, columns } = index;
  const plain = indexName(index);
  let name = plain;
  for (let n = 2; taken.has(name.toLowerCase()); n++) name = `${plain}_${n}`;
  taken.add(name.toLowerCase());
  const list = columns.map(quoteIdentifier).join(', ');
  db.exec(`CREATE INDEX ${quoteIdentifier(name)} ON ${quoteIdentifier(table)} (${list})`);
}

/** Whether an index of the original already begins with these columns. */
function isIndexed(db: Database.Database, { table, columns }: Index): boolean {
  const names = db.prepare('SELECT name FROM pragma_index_list(?) WHERE partial = 0').pluck().all(table);
  const parts = db.prepare('SELECT name FROM pragma_index_info(?) ORDER BY seqno').pluck();
  return names.some((name) => {
    const indexed = parts.all(name);
    return columns.every((column, i) => indexed[i] === column);
  });
}

/** Table and columns as the catalog spells them. */
export interface Index {
  readonly table: string;
  readonly columns: readonly string[];
}

/** How a served copy differs from the original, besides its search indexes. */
export interface Aids {
  readonly indexes: readonly Index[];
  /** Whether SQLite has statistics on the indexes. */
  readonly analyzed: boolean;
}

export function aidsOf(file: string): Aids {
  return withDatabase(file, (db) => {
    const columns = db
      .prepare<[string], string>('SELECT name FROM pragma_index_info(?) ORDER BY seqno')
      .pluck();
    const made = db
      .prepare<[], { name: string; table: string }>(
        "SELECT name, tbl_name AS \"table\" FROM sqlite_master WHERE type = 'index' AND name GLOB 'rookery_*' ORDER BY rowid",
      )
      .all();
    const indexes = made.map(({ name, table }) => ({ table, columns: columns.all(name) }));
    const analyzed =
      db.prepare("SELECT 1 FROM sqlite_master WHERE name = 'sqlite_stat1'").get() !== undefined;
    return { indexes, analyzed };
  });
}

/** A smaller table fits a page or two, which are read as quickly as an index. */
const MIN_ROWS = 100;

/** Looking up a value in a larger share of rows is as slow with an index as without. */
const LARGEST_SHARE = 0.1;
/** Below, the size of an index does not matter. */
const MANY_ROWS = 5_000;

/** An index for each column joined on, looked up, or aggregated by MIN or MAX, in the catalog's order. */
export function planIndexes(queries: readonly Query[], catalog: Catalog): Index[] {
  const tables = new Map(catalog.tables.map((table) => [table.name, table]));
  const wanted = new Set<string>();
  for (const query of queries) {
    const sources = tableSources(query);
    for (const column of searchedColumns(query)) {
      wanted.add(`${sources.get(column.source)}\0${column.name}`);
    }
  }
  return [...tables.values()]
    .filter(({ view, rows }) => !view && rows >= MIN_ROWS)
    .flatMap((table) =>
      table.columns
        .filter(({ name }) => wanted.has(`${table.name}\0${name}`) && rowidAlias(table)?.name !== name)
        .filter(isSelective)
        .map(({ name }) => ({ table: table.name, columns: [name] })),
    );
}

/** Whether looking up a value, or NULL, leaves a small part of the rows. */
function isSelective({ statistics: { rows, nulls, distinct } }: CatalogColumn): boolean {
  if (rows < MANY_ROWS) return true;
  const shares = [distinct > 0 ? (rows - nulls) / distinct / rows : 1, nulls > 0 ? nulls / rows : 1];
  return Math.min(...shares) <= LARGEST_SHARE;
}

function tableSources(query: Query): Map<SourceId, string> {
  const tables = new Map<SourceId, string>();
  for (const inner of queriesOf(query)) {
    if (inner.kind !== 'select') continue;
    for (const { source } of inner.from) if (source.kind === 'table') tables.set(source.id, source.table);
  }
  return tables;
}

function* searchedColumns(query: Query): Generator<Column> {
  for (const inner of queriesOf(query)) {
    for (const clause of queryExprs(inner)) {
      for (const expr of ownExprs(clause)) yield* searchedIn(expr);
    }
  }
}

/** Columns by which an index could find the rows for a condition. */
function searchedIn(expr: Expr): Column[] {
  switch (expr.kind) {
    case 'compare':
      return expr.op === '!=' || expr.op === 'is_not' ? [] : bare(expr.left, expr.right);
    case 'between':
    case 'in_list':
    case 'in_query':
    case 'like':
    case 'is_null':
      return expr.negated ? [] : bare(expr.expr);
    case 'aggregate':
      return expr.name === 'min' || expr.name === 'max' ? bare(...expr.args) : [];
    default:
      return [];
  }
}

function bare(...exprs: readonly Expr[]): Column[] {
  return exprs.filter((expr): expr is Column => expr.kind === 'column');
}

interface PlanStep {
  readonly id: number;
  readonly parent: number;
  readonly detail: string;
}

const LOOP = /^(SCAN|SEARCH) (\S+)(?: USING (.*?))?(?: LEFT-JOIN| RIGHT-JOIN)*$/;
const RANGE_SHARE = 1 / 4;
/** Rows left by an equality without statistics. */
const ASSUMED_ROWS = 10;

/** The rows visited according to SQLite's plan and statistics, the same on any machine. `sql` is printed from `query`. */
export function estimateVisits(db: Database.Database, sql: string, query: Query, catalog: Catalog): number {
  // The plan does not depend on the values, but better-sqlite3 requires some.
  const values = Object.fromEntries([...sql.matchAll(/:([\w$]+)/g)].map(([, name]) => [name, null]));
  const steps = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(values) as PlanStep[];
  const children = groupBy(steps, ({ parent }) => parent);
  return new Estimate(children, rowsBySource(query, catalog), statistics(db)).level(0, 1).visits;
}

interface Cost {
  readonly visits: number;
  readonly rows: number;
}

class Estimate {
  readonly #children: ReadonlyMap<number, readonly PlanStep[]>;
  readonly #tables: ReadonlyMap<string, number>;
  readonly #statistics: ReadonlyMap<string, readonly number[]>;

  constructor(
    children: ReadonlyMap<number, readonly PlanStep[]>,
    tables: ReadonlyMap<string, number>,
    statistics: ReadonlyMap<string, readonly number[]>,
  ) {
    this.#children = children;
    this.#tables = tables;
    this.#statistics = statistics;
  }

  /** The steps below one, run `times` times: loops nest, subqueries run side by side. */
  level(parent: number, times: number): Cost {
    let visits = 0;
    let rows = 1;
    const made = new Map<string, number>();
    for (const step of this.#children.get(parent) ?? []) {
      const loop = LOOP.exec(step.detail);
      if (loop) {
        const [, how = '', source = '', access = ''] = loop;
        const size = this.#tables.get(source) ?? made.get(source) ?? ASSUMED_ROWS;
        const found = how === 'SCAN' ? size : this.#matches(size, access);
        if (access.startsWith('AUTOMATIC')) visits += 2 * size;
        visits += rows * found;
        rows *= found;
      } else if (step.detail === 'MULTI-INDEX OR') {
        const inside = this.level(step.id, 1);
        visits += rows * inside.visits;
        rows *= inside.rows;
      } else {
        const inside = this.level(step.id, 1);
        const again = step.detail.startsWith('CORRELATED') ? rows : 1;
        visits += again * inside.visits;
        const name = /^(?:MATERIALIZE|CO-ROUTINE) (\S+)$/.exec(step.detail)?.[1];
        if (name !== undefined) made.set(name, inside.rows);
        // The parts of UNION ALL run in turn; a sort reads rows already visited.
        if (/^(LEFT-MOST SUBQUERY|UNION|INTERSECT|EXCEPT|INDEX \d+)/.test(step.detail)) rows += inside.rows;
        if (step.detail.startsWith('USE TEMP B-TREE')) visits += rows;
      }
    }
    return { visits: visits * times, rows };
  }

  #matches(size: number, access: string): number {
    if (/INTEGER PRIMARY KEY \(rowid=\?\)|PRIMARY KEY \(\w+=\?\)/.test(access)) return 1;
    const equalities = access.match(/=\?/g)?.length ?? 0;
    const ranged = /[<>]\?/.test(access) ? RANGE_SHARE : 1;
    const index = /INDEX (\S+) \(/.exec(access)?.[1];
    const known = index === undefined ? undefined : this.#statistics.get(index)?.[equalities];
    if (known !== undefined) return known * ranged;
    return equalities > 0 ? Math.min(size, ASSUMED_ROWS) : size * ranged;
  }
}

function rowsBySource(query: Query, catalog: Catalog): Map<string, number> {
  const rows = new Map(catalog.tables.map((table) => [table.name, table.rows]));
  return new Map([...tableSources(query)].map(([id, table]) => [id, rows.get(table) ?? ASSUMED_ROWS]));
}

/** sqlite_stat1: the rows of each index, then rows per value of its first column, first two, … */
function statistics(db: Database.Database): Map<string, number[]> {
  const rows = db.prepare('SELECT idx, stat FROM sqlite_stat1 WHERE idx IS NOT NULL').all() as {
    idx: string;
    stat: string;
  }[];
  return new Map(
    rows.map(({ idx, stat }) => [
      idx,
      stat
        .split(' ')
        .map(Number)
        .filter((number) => Number.isFinite(number)),
    ]),
  );
}

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
  return (virtual.pluck().all() as string[]).filter(isOwnTable);
}

export interface SearchIndex {
  readonly collection: string;
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
  return withDatabase(file, (db) => {
    const virtual = new Set(
      db.prepare("SELECT name FROM pragma_table_list WHERE type = 'virtual'").pluck().all(),
    );
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
  });
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
