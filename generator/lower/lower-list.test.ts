import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { parseQuery } from '../../sql/index.ts';
import { readCatalog } from '../read/catalog.ts';
import { lowerToList } from './lower-list.ts';

const db = new Database(':memory:');
db.exec(`
  CREATE TABLE inn (id INTEGER PRIMARY KEY, "the name" TEXT, town TEXT, beds INTEGER, price REAL);
  INSERT INTO inn VALUES (1, 'Adler', 'Bonn', 12, 80.5), (2, 'Bär', NULL, 7, NULL);
  CREATE TABLE stay (inn INTEGER REFERENCES inn (id), nights INTEGER);
  INSERT INTO stay VALUES (1, 2), (1, 2);`);
const catalog = readCatalog('inns', db);
const lowered = (sql: string) =>
  lowerToList(parseQuery(sql, { catalog, referenceTime: '2025-01-01 00:00:00' }), { catalog });

test.each([
  ['SELECT town FROM inn', ['town'], {}],
  [
    `SELECT "the name", id FROM inn WHERE 10 < beds AND town LIKE 'B%' AND "the name" <> 'Cerf'`,
    ['the_name', 'id'],
    { beds__gt: 10, town__like: 'B%', the_name__ne: 'Cerf' },
  ],
  [
    "SELECT id FROM inn WHERE beds BETWEEN -1 AND 9 AND town IN ('Bonn', 'Metz') AND price IS NOT NULL",
    ['id'],
    { beds__gte: -1, beds__lte: 9, town__in: ['Bonn', 'Metz'], price__null: false },
  ],
  [
    'SELECT id FROM inn WHERE price = 80.5 ORDER BY beds DESC, id LIMIT 2',
    ['id'],
    { price: 80.5, sort: '-beds,id', limit: 2 },
  ],
])('%s is one call', (sql, columns, args) => {
  expect(lowered(sql)).toEqual({ call: { name: 'list_inn', arguments: args }, columns });
});

test.each([
  'SELECT DISTINCT town FROM inn',
  'SELECT count(*) FROM inn',
  'SELECT beds + 1 FROM inn',
  'SELECT town FROM inn GROUP BY town',
  "SELECT id FROM inn WHERE town = 'Bonn' OR beds = 7",
  "SELECT id FROM inn WHERE town NOT LIKE 'B%'",
  'SELECT id FROM inn WHERE beds > 3 AND beds > 5',
  'SELECT id FROM inn WHERE beds > price',
  'SELECT id FROM inn ORDER BY beds LIMIT 2 OFFSET 1',
  'SELECT id FROM inn ORDER BY beds NULLS LAST',
  'SELECT i.id FROM inn AS i JOIN stay AS s ON s.inn = i.id',
  // Its rows have no key.
  'SELECT nights FROM stay WHERE inn = 1',
])('%s is none', (sql) => {
  expect(lowered(sql)).toBeNull();
});
