import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import type { CatalogTable } from '../../contracts/catalog.ts';
import { readCatalog } from './catalog.ts';

function tablesOf(sql: string): Record<string, CatalogTable> {
  const connection = new Database(':memory:');
  try {
    connection.pragma('foreign_keys = OFF');
    connection.exec(sql);
    return Object.fromEntries(readCatalog('x', connection).tables.map((table) => [table.name, table]));
  } finally {
    connection.close();
  }
}

test('tables and views in order of creation, without those of SQLite or those that cannot be queried', () => {
  const tables = tablesOf(`
    CREATE TABLE b (id INTEGER PRIMARY KEY AUTOINCREMENT, x UNIQUE);
    CREATE TABLE a (k TEXT PRIMARY KEY) WITHOUT ROWID;
    CREATE VIEW seen AS SELECT x + 1 AS more FROM b;
    CREATE VIEW broken AS SELECT * FROM gone;
    CREATE VIRTUAL TABLE words USING fts5(body);
    INSERT INTO b (x) VALUES (1), (2);`);
  expect(Object.values(tables).map((t) => [t.name, t.view, t.has_rowid, t.rows])).toEqual([
    ['b', false, true, 2],
    ['a', false, false, 0],
    ['seen', true, false, 2],
    ['words', false, true, 0],
  ]);
  expect(tables.seen!.columns).toMatchObject([{ name: 'more', type: 'integer' }]);
  expect(tables.words!.columns.map((column) => column.name)).toEqual(['body']);
});

test('columns: declared types, keys, generated columns, awkward names', () => {
  const { 'odd "table"': odd } = tablesOf(`
    CREATE TABLE "odd ""table""" (
      "Percent (%) a/b" varchar(20) NOT NULL, [order] INTEGER, untyped,
      twice INTEGER GENERATED ALWAYS AS ([order] * 2) VIRTUAL,
      PRIMARY KEY ([order], untyped));
    INSERT INTO "odd ""table""" VALUES ('x', 1, 'y');`);
  expect(odd!.columns).toMatchObject([
    { name: 'Percent (%) a/b', declared_type: 'varchar(20)', not_null: true, primary_key: 0 },
    { name: 'order', declared_type: 'INTEGER', not_null: false, primary_key: 1 },
    { name: 'untyped', declared_type: '', not_null: false, primary_key: 2 },
    { name: 'twice', declared_type: 'INTEGER', type: 'integer', generated: true },
  ]);
  expect(odd!.columns[1]).not.toHaveProperty('generated');
});

test('types: what is stored decides, the declaration only where nothing is stored', () => {
  const { stored, empty } = tablesOf(`
    CREATE TABLE stored (a TEXT, b INTEGER, c, d INTEGER, e);
    INSERT INTO stored VALUES (1, 'n/a', 1, 1, x'00'), (2, 2, 2.5, NULL, NULL);
    CREATE TABLE empty (a INT, b DOUBLE, c VARCHAR(3), d DATE, e BOOLEAN, f DECIMAL(3, 1), g);
    INSERT INTO empty (a) VALUES (NULL);`);
  expect(stored!.columns.map((column) => column.type)).toEqual([
    'string',
    'string',
    'number',
    'integer',
    'string',
  ]);
  expect(empty!.columns.map((column) => column.type)).toEqual([
    'integer',
    'number',
    'string',
    'string',
    'integer',
    'number',
    'string',
  ]);
});

test('collations are those declared, however the declaration is written', () => {
  const { t } = tablesOf(
    `CREATE TABLE t (a TEXT COLLATE NOCASE, b TEXT CHECK (b <> ') COLLATE RTRIM'), "collate" TEXT, d COLLATE [rtrim])`,
  );
  expect(t!.columns.map((column) => column.collation)).toEqual(['NOCASE', 'BINARY', 'BINARY', 'RTRIM']);
});

test('foreign keys: in order, with implicit targets, spelled as the target is; those to nowhere are left out', () => {
  const { child } = tablesOf(`
    CREATE TABLE Parent (A, B, PRIMARY KEY (B, A));
    CREATE TABLE child (
      x, y, z REFERENCES gone (id), w REFERENCES parent (nope), v REFERENCES parent (a),
      FOREIGN KEY (x, y) REFERENCES PARENT);`);
  expect(child!.foreign_keys).toEqual([
    { columns: ['v'], references_table: 'Parent', references_columns: ['A'] },
    { columns: ['x', 'y'], references_table: 'Parent', references_columns: ['B', 'A'] },
  ]);
});

test('statistics: counts, distinct values, extremes', () => {
  const { t } = tablesOf(`
    CREATE TABLE t (n, s TEXT);
    INSERT INTO t VALUES (1, 'b'), (1, CAST(x'61ff' AS TEXT)), (2.5, NULL), (NULL, NULL);`);
  expect(t!.columns[0]!.statistics).toEqual({
    rows: 4,
    nulls: 1,
    distinct: 2,
    min: 1,
    max: 2.5,
    storage: { integer: 2, real: 1, text: 0, blob: 0 },
  });
  // Text that is not UTF-8 is shown with the replacement character.
  expect(t!.columns[1]!.statistics).toMatchObject({ nulls: 2, distinct: 2, min: 'a\ufffd', max: 'b' });
});

test('statistics: extremes that JSON could not hold, or nobody wants to read', () => {
  const { t } = tablesOf(`
    CREATE TABLE t (r REAL, long TEXT, blob);
    INSERT INTO t VALUES (9e999, replace(printf('%300s', ''), ' ', '🐦'), x'00ff'), (-9e999, 'x', NULL);`);
  const [r, long, blob] = t!.columns.map((column) => column.statistics);
  expect([r!.min, r!.max]).toEqual([-Number.MAX_VALUE, Number.MAX_VALUE]);
  expect(long!.max).toBe('🐦'.repeat(200));
  expect(blob!.max).toBe('00FF');
});

test('a table of many columns', () => {
  const names = Array.from({ length: 500 }, (_, i) => `c${i}`);
  const { wide } = tablesOf(`CREATE TABLE wide (${names.join(', ')});
    INSERT INTO wide VALUES (${names.map((_, i) => i).join(', ')});`);
  expect(wide!.columns.map((column) => column.statistics.max)).toEqual(names.map((_, i) => i));
});

test('a large table is heard of while it is read, whatever its columns are called', () => {
  const connection = new Database(':memory:');
  connection.exec(`
    CREATE TABLE small (x);
    CREATE TABLE large (rowid TEXT, x);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 150000) INSERT INTO large SELECT i, i FROM n;`);
  const heard: unknown[] = [];
  const [, large] = readCatalog('x', connection, { onRows: (...each) => heard.push(each) }).tables;
  connection.close();
  expect(heard).toEqual([
    ['small', 0],
    ['large', 0],
    ['large', 65_536],
    ['large', 131_072],
  ]);
  expect(large?.columns.map(({ statistics }) => statistics.distinct)).toEqual([150_000, 150_000]);
});
