import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { parseQuery } from '../sql/index.ts';
import { readCatalog } from './read/catalog.ts';
import { ambiguitiesOf } from './tie-breaking.ts';

const db = new Database(':memory:');
db.exec(`CREATE TABLE city (id INTEGER PRIMARY KEY, name TEXT, size INTEGER);
  CREATE TABLE shop (code TEXT PRIMARY KEY NOT NULL, city_id INTEGER, name TEXT COLLATE NOCASE);
  CREATE TABLE sale (shop TEXT, day TEXT, amount INTEGER);`);
const catalog = readCatalog('x', db);
const kinds = (sql: string) =>
  ambiguitiesOf(parseQuery(sql, { catalog, referenceTime: '2024-01-01 00:00:00' }), catalog).map(
    ({ kind }) => kind,
  );

test.each([
  'SELECT name FROM city',
  'SELECT name FROM city ORDER BY size',
  'SELECT name FROM city ORDER BY size, id LIMIT 3',
  'SELECT size FROM city ORDER BY size LIMIT 3',
  'SELECT size + 1 FROM city ORDER BY size LIMIT 3',
  'SELECT name FROM city WHERE id = 3 LIMIT 1',
  'SELECT c.name FROM city c JOIN shop s ON s.city_id = c.id ORDER BY s.code LIMIT 2',
  'SELECT s.name FROM shop s LEFT JOIN city c ON s.city_id = c.id ORDER BY s.code LIMIT 2',
  'SELECT max(size) FROM city LIMIT 1',
  'SELECT size, count(*) FROM city GROUP BY size ORDER BY size LIMIT 1',
  'SELECT name, count(*) FROM city GROUP BY id',
  'SELECT c.name, count(*) FROM city c JOIN shop s ON s.city_id = c.id GROUP BY s.code',
  'SELECT id, max(size) FROM city GROUP BY id',
  'SELECT count(*) FROM sale ORDER BY day',
  'SELECT rank() OVER (ORDER BY size) FROM city',
  'SELECT row_number() OVER (ORDER BY size, id) FROM city',
  'SELECT sum(size) OVER (ORDER BY size) FROM city',
  'SELECT name FROM city WHERE size = (SELECT max(size) FROM city)',
  'SELECT (SELECT c.name FROM city c WHERE c.id = s.city_id) FROM shop s',
  'SELECT name FROM city WHERE EXISTS (SELECT 1 FROM shop WHERE city_id = city.id)',
  'SELECT size FROM city UNION SELECT amount FROM sale ORDER BY 1 LIMIT 2',
  'SELECT DISTINCT size FROM city ORDER BY size LIMIT 1',
])('%s has one answer', (sql) => {
  expect(kinds(sql)).toEqual([]);
});

test.each([
  ['SELECT name FROM city LIMIT 3', ['limit']],
  ['SELECT name FROM city ORDER BY size DESC LIMIT 1', ['limit']],
  ['SELECT c.name FROM city c JOIN shop s ON s.city_id = c.id ORDER BY c.id LIMIT 2', []],
  ['SELECT s.code FROM city c JOIN shop s ON s.city_id = c.id ORDER BY c.id LIMIT 2', ['limit']],
  ['SELECT c.name FROM shop s LEFT JOIN city c ON s.city_id = c.id ORDER BY s.city_id LIMIT 2', []],
  ['SELECT s.name FROM shop s LEFT JOIN city c ON s.city_id = c.id ORDER BY c.id LIMIT 2', ['limit']],
  ['SELECT name FROM shop ORDER BY name LIMIT 1', ['limit']],
  ['SELECT name FROM city ORDER BY name COLLATE NOCASE LIMIT 1', ['limit']],
  ['SELECT name, count(*) FROM shop GROUP BY name', ['bare_column']],
  ['SELECT upper(name) FROM shop ORDER BY name LIMIT 1', ['limit']],
  ['SELECT size FROM city GROUP BY size ORDER BY count(*) DESC LIMIT 1', ['limit']],
  ['SELECT name, size FROM city GROUP BY size', ['bare_column']],
  ['SELECT name, sum(size) FROM city', ['bare_column']],
  ['SELECT name, max(size) FROM city', ['bare_column']],
  ['SELECT DISTINCT name FROM city ORDER BY size', ['distinct_order']],
  ['SELECT group_concat(name) FROM city', ['aggregate_order']],
  ['SELECT row_number() OVER (ORDER BY size) FROM city', ['window_order']],
  ['SELECT sum(size) OVER (ORDER BY size ROWS UNBOUNDED PRECEDING) FROM city', ['window_order']],
  ['SELECT name FROM city WHERE size > (SELECT size FROM city ORDER BY name LIMIT 1)', ['limit']],
  ['SELECT name FROM city WHERE size = (SELECT amount FROM sale)', ['limit']],
  ['SELECT name, size FROM city UNION ALL SELECT shop, amount FROM sale ORDER BY 1 LIMIT 2', ['limit']],
])('%s leaves open %j', (sql, open) => {
  expect(kinds(sql)).toEqual(open);
});
