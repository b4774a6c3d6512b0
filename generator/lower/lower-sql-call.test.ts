import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { readCatalog } from '../read/catalog.ts';
import { lowerSqlCall } from './lower-sql-call.ts';

const db = new Database(':memory:');
db.exec(`
  CREATE TABLE inn (id INTEGER PRIMARY KEY, name TEXT, town TEXT, price REAL, "from" TEXT);
  INSERT INTO inn VALUES (1, 'Adler', 'Bonn', 80.5, '2024-01-01');`);
const context = { catalog: readCatalog('inns', db), referenceTime: '2025-01-01 00:00:00' };
const lower = (sql: string) => lowerSqlCall(sql, context);
const call = (columns: string[], conditions: string[], allColumns = false) => ({
  keyword: 'SELECT',
  values: [] as string[],
  table: 'inn',
  columns,
  allColumns,
  conditions,
});

describe('a query of one table is a call', () => {
  test.each([
    ['SELECT * FROM inn', call(['id', 'name', 'town', 'price', 'from'], [], true)],
    ["SELECT T1.name AS n FROM inn AS T1 WHERE T1.town = 'Bonn'", call(['name'], ["town = 'Bonn'"])],
    [
      "SELECT name, price FROM inn WHERE price BETWEEN 1.50 AND 90 AND name LIKE 'A%' AND town IS NOT NULL AND id <> -1",
      call(
        ['name', 'price'],
        ['price BETWEEN 1.50 AND 90', "name LIKE 'A%'", 'town IS NOT NULL', 'id <> -1'],
      ),
    ],
    ['SELECT "from" FROM inn WHERE "from" > \'2023\'', call(['from'], ['"from" > \'2023\''])],
  ])('%s', (sql, expected) => {
    expect(lower(sql)).toEqual(expected);
  });
});

describe('a statement that changes one table is a call', () => {
  const all = ['id', 'name', 'town', 'price', 'from'];
  test.each([
    ["DELETE FROM inn WHERE town = 'Bonn';", { ...call(all, ["town = 'Bonn'"], true), keyword: 'DELETE' }],
    [
      "UPDATE inn SET Price = -1.5, town = NULL, \"from\" = 'a, b' WHERE id = 1 AND name = 'x; y'",
      {
        ...call(['price', 'town', 'from'], ['id = 1', "name = 'x; y'"]),
        keyword: 'UPDATE',
        values: ['-1.5', 'NULL', 'a, b'],
      },
    ],
    [
      "INSERT INTO inn (id, name) VALUES (2, 'Zur ''Post'' 1')",
      { ...call(['id', 'name'], []), keyword: 'INSERT', values: ['2', "Zur 'Post' 1"] },
    ],
  ])('%s', (sql, expected) => {
    expect(lower(sql)).toEqual(expected);
  });
});

test.each([
  ['UPDATE inn SET price = price * 2 WHERE id = 1', 'a computed value'],
  ['UPDATE inn SET price = 1 FROM inn o WHERE o.id = inn.id', 'several tables'],
  ['UPDATE OR IGNORE inn SET price = 1', 'SQL that is not understood'],
  [
    'DELETE FROM inn WHERE id = (SELECT max(id) FROM inn)',
    'a condition that is more than a column and values',
  ],
  ['DELETE FROM inn; DELETE FROM inn', 'several statements'],
  ['INSERT INTO inn VALUES (1)', 'columns that are not named'],
  ['INSERT INTO inn (id) VALUES (1), (2)', 'a computed value'],
  ['INSERT INTO inn (id) SELECT 1', 'a computed value'],
  ['SELECT count(*) FROM inn', 'a computed column'],
  ['SELECT DISTINCT town FROM inn', 'DISTINCT'],
  ['SELECT name FROM inn ORDER BY price', 'an order or a limit'],
  ['SELECT town FROM inn GROUP BY town', 'groups'],
  ['SELECT a.name FROM inn a JOIN inn b ON b.town = a.town', 'several tables'],
  ['SELECT name FROM (SELECT name FROM inn)', 'no table of its own'],
  [
    "SELECT name FROM inn WHERE town = 'Bonn' OR price > 1",
    'a condition that is more than a column and values',
  ],
  ['SELECT name FROM inn WHERE "from" < date(\'now\')', 'a condition that is more than a column and values'],
  ['SELECT name FROM inn UNION SELECT town FROM inn', 'a set operation'],
  ['SELEC name', 'SQL that is not understood'],
])('%s is none: %s', (sql, reason) => {
  expect(lower(sql)).toBe(reason);
});
