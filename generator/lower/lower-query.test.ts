import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { parseQuery } from '../../sql/index.ts';
import { readCatalog } from '../read/catalog.ts';
import { lowerToQuery } from './lower-query.ts';

const db = new Database(':memory:');
db.exec(`
  CREATE TABLE inn (id INTEGER PRIMARY KEY, name TEXT, town TEXT, beds INTEGER, price REAL, open INTEGER);
  INSERT INTO inn VALUES (1, 'Adler', 'Bonn', 12, 80.5, 1), (2, 'Bär', NULL, 7, NULL, 0), (3, 'Cerf', 'Metz', 7, 99, 1);
  CREATE TABLE stay (inn INTEGER REFERENCES inn (id), nights INTEGER);
  INSERT INTO stay VALUES (1, 2), (2, 3);
  CREATE TABLE room (id INTEGER PRIMARY KEY, size NUMERIC, door);
  INSERT INTO room VALUES (1, 12, 12), (2, 15.5, 'A'), (3, 'small', 'B');`);
const catalog = readCatalog('inns', db);
const argumentsOf = (sql: string) =>
  lowerToQuery(parseQuery(sql, { catalog, referenceTime: '2025-01-01 00:00:00' }), catalog)?.arguments ??
  null;

const filter = (property_name: string, operator: string, value: unknown) => ({
  property_name,
  operator,
  value,
});
const metric = (property_name: string, metrics: string) => ({ property_name, metrics });

describe('a query that fits the tool is one call', () => {
  test.each([
    ['SELECT * FROM inn', {}],
    [
      "SELECT * FROM inn WHERE 10 < beds AND town LIKE 'B%' AND open = 1",
      {
        integer_property_filter: filter('beds', '>', 10),
        text_property_filter: filter('town', 'LIKE', 'B%'),
        boolean_property_filter: filter('open', '=', true),
      },
    ],
    [
      "SELECT COUNT(*) FROM inn WHERE name = 'Adler'",
      {
        text_property_filter: filter('name', '=', 'Adler'),
        integer_property_aggregation: metric('id', 'COUNT'),
      },
    ],
    [
      'SELECT AVG(price), COUNT(town) FROM inn WHERE open != 0',
      {
        boolean_property_filter: filter('open', '!=', false),
        integer_property_aggregation: metric('price', 'MEAN'),
        text_property_aggregation: metric('town', 'COUNT'),
      },
    ],
    // Of a table without a key, what is filtered by is surely no NULL, on neighbours either.
    [
      'SELECT COUNT(*) FROM stay WHERE nights > 2',
      {
        collection_name: 'stay',
        integer_property_filter: filter('nights', '>', 2),
        integer_property_aggregation: metric('nights', 'COUNT'),
      },
    ],
    ['SELECT town, COUNT(*) FROM inn GROUP BY town', { groupby_property: 'town' }],
    [
      'SELECT town, MAX(price) FROM inn GROUP BY town ORDER BY town',
      { integer_property_aggregation: metric('price', 'MAX'), groupby_property: 'town' },
    ],
    [
      'SELECT town, COUNT(*) FROM inn GROUP BY town ORDER BY COUNT(*) DESC LIMIT 3',
      { text_property_aggregation: { ...metric('town', 'TOP_OCCURRENCES'), top_occurrences_limit: 3 } },
    ],
    [
      'SELECT beds FROM inn GROUP BY beds ORDER BY COUNT(*) DESC LIMIT 1',
      { integer_property_aggregation: metric('beds', 'MODE') },
    ],
    // Of columns that hold numbers and texts, the literal decides.
    [
      "SELECT * FROM room WHERE size > 12 AND door = 'A'",
      {
        collection_name: 'room',
        integer_property_filter: filter('size', '>', 12),
        text_property_filter: filter('door', '=', 'A'),
      },
    ],
    [
      "SELECT * FROM room WHERE size = '12' AND door = 12",
      {
        collection_name: 'room',
        integer_property_filter: filter('door', '=', 12),
        text_property_filter: filter('size', '=', '12'),
      },
    ],
  ])('%s', (sql, args) => {
    expect(argumentsOf(sql)).toEqual({ collection_name: 'inn', ...args });
  });
});

describe('a query that does not fit is none', () => {
  test.each([
    'SELECT name FROM inn',
    'SELECT * FROM inn LIMIT 1',
    'SELECT * FROM inn ORDER BY price',
    'SELECT * FROM inn WHERE beds > 1 AND price > 2',
    'SELECT * FROM inn WHERE beds > 1 OR open = 1',
    'SELECT * FROM inn WHERE beds <> 1',
    "SELECT * FROM inn WHERE town <> 'Bonn'",
    "SELECT * FROM inn WHERE town LIKE 'bonn'",
    "SELECT * FROM inn WHERE town NOT LIKE 'b%'",
    'SELECT * FROM inn WHERE open = 2',
    'SELECT * FROM inn WHERE town IS NULL',
    "SELECT * FROM room WHERE door = '12'",
    'SELECT COUNT(DISTINCT town) FROM inn',
    'SELECT MIN(beds), MAX(price) FROM inn',
    'SELECT MIN(town) FROM inn',
    'SELECT COUNT(town), AVG(price) FROM inn',
    'SELECT COUNT(*), town FROM inn GROUP BY town',
    'SELECT town, COUNT(*) FROM inn GROUP BY town ORDER BY town DESC',
    'SELECT town, COUNT(*) FROM inn GROUP BY town HAVING COUNT(*) > 1',
    'SELECT town, open, COUNT(*) FROM inn GROUP BY town, open',
    'SELECT DISTINCT town FROM inn',
    'SELECT COUNT(*) FROM inn JOIN stay ON stay.inn = inn.id',
    'SELECT COUNT(*) FROM inn UNION SELECT 1',
    'SELECT * FROM inn WHERE price > (SELECT AVG(price) FROM inn)',
  ])('%s', (sql) => {
    expect(argumentsOf(sql)).toBeNull();
  });
});
