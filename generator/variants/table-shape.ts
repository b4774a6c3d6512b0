import type Database from 'better-sqlite3';
import type { Catalog } from '../../contracts/catalog.ts';
import { quoteIdentifier } from '../../sql/index.ts';
import type { Stored } from '../oracle/oracle.ts';
import { type Content, contentOf } from './mentions.ts';

export interface ColumnShape {
  readonly name: string;
  readonly nullable: boolean;
  /** Unique, alone or as part of the primary key, so that changes would collide. */
  readonly unique: boolean;
  /** Refers to another table. */
  readonly foreign: boolean;
  readonly primaryKey: boolean;
  /** null where any value of its type will do. */
  readonly content: Content | null;
}

/** A table whose rows can be changed. */
export interface TableShape {
  readonly name: string;
  /** Without generated columns. */
  readonly columns: readonly ColumnShape[];
  /** Columns that identify a row: a visible alias of the row id, or the primary key. */
  readonly identity: readonly string[];
  readonly rows: number;
}

interface TableListRow {
  name: string;
  type: string;
  wr: bigint;
}
interface ColumnRow {
  name: string;
  notnull: bigint;
  pk: bigint;
  hidden: bigint;
}

/** Ordinary tables by name, without views, virtual tables and their shadows. */
export function tableShapes(db: Database.Database, catalog: Catalog): TableShape[] {
  const tables = db.prepare('SELECT name, type, wr FROM pragma_table_list WHERE schema = ?').safeIntegers();
  return (tables.all('main') as TableListRow[])
    .filter(({ name, type }) => type === 'table' && !name.startsWith('sqlite_'))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap(({ name, wr }) => shapeOf(db, name, wr === 1n, catalog) ?? []);
}

function shapeOf(
  db: Database.Database,
  table: string,
  withoutRowid: boolean,
  catalog: Catalog,
): TableShape | null {
  const columns = db.prepare('SELECT * FROM pragma_table_xinfo(?)').safeIntegers().all(table) as ColumnRow[];
  const names = new Set(columns.map(({ name }) => name.toLowerCase()));
  const rowid = ['rowid', '_rowid_', 'oid'].find((alias) => !names.has(alias));
  const key = columns.filter(({ pk }) => pk > 0n).sort((a, b) => Number(a.pk - b.pk));
  const identity = withoutRowid ? key.map(({ name }) => name) : rowid ? [rowid] : [];
  if (identity.length === 0) return null;

  const unique = uniqueColumns(db, table);
  const foreign = new Set(
    (catalog.tables.find(({ name }) => name === table)?.foreign_keys ?? []).flatMap((fk) => fk.columns),
  );
  const count = db
    .prepare(`SELECT count(*) FROM ${quoteIdentifier(table)}`)
    .pluck()
    .get() as number;
  const stored = columns.filter(({ hidden }) => hidden === 0n);
  const contents = contentsOf(
    db,
    table,
    stored.map(({ name }) => name),
  );
  return {
    name: table,
    identity,
    rows: count,
    columns: stored.map(({ name, notnull, pk }, i) => ({
      name,
      nullable: notnull === 0n && pk === 0n,
      unique: pk > 0n || unique.has(name),
      foreign: foreign.has(name),
      primaryKey: pk > 0n,
      content: contents[i] ?? null,
    })),
  };
}

/** Rows sampled to judge the content of columns. */
const LOOKED_AT = 200;

function contentsOf(db: Database.Database, table: string, names: readonly string[]): (Content | null)[] {
  if (names.length === 0) return [];
  const list = names.map((name) => quoteIdentifier(name)).join(', ');
  const rows = db
    .prepare<[], Stored[]>(`SELECT ${list} FROM ${quoteIdentifier(table)} LIMIT ${LOOKED_AT}`)
    .raw(true)
    .safeIntegers(true)
    .all();
  return names.map((_, i) => contentOf(rows.map((row) => row[i] ?? null)));
}

function uniqueColumns(db: Database.Database, table: string): Set<string> {
  const names = db
    .prepare(
      `SELECT c.name FROM pragma_index_list(?) AS i, pragma_index_info(i.name) AS c
       WHERE i."unique" = 1 AND c.name IS NOT NULL`,
    )
    .pluck()
    .all(table) as string[];
  return new Set(names);
}
