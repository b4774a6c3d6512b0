import Database from 'better-sqlite3';
import { afterAll, expect, test } from 'vitest';
import { parseQuery, printQuery } from '../../sql/index.ts';
import { readCatalog } from '../read/catalog.ts';
import { tableShapes } from './changes.ts';
import { countVisits } from './visits.ts';

const db = new Database(':memory:');
afterAll(() => db.close());
db.exec(`
  CREATE TABLE maker (id INTEGER PRIMARY KEY, town TEXT);
  CREATE TABLE clock (code TEXT PRIMARY KEY, maker_id INTEGER, cents INTEGER) WITHOUT ROWID;
  CREATE TABLE oddity (rowid TEXT, note TEXT);
  CREATE INDEX clock_maker ON clock (maker_id);
  WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 60)
    INSERT INTO clock SELECT 'c' || i, i % 7, i * 10 FROM n;
  INSERT INTO maker VALUES (0, 'Bern'), (1, 'Ulm'), (2, 'Bern'), (3, NULL), (9, 'Graz');
  INSERT INTO oddity VALUES ('x', 'first'), ('y', 'second');
  ANALYZE;`);
const catalog = readCatalog('clocks', db);
const shapes = new Map(tableShapes(db, catalog).map((shape) => [shape.name, shape]));
let visits = 0;
db.function('visited', { varargs: true, deterministic: true }, () => {
  visits++;
  return 1;
});

const QUERIES = [
  'SELECT town FROM maker',
  'SELECT code FROM clock WHERE cents > 300 OR maker_id = 2',
  'SELECT m.town, c.code FROM maker m JOIN clock c ON c.maker_id = m.id WHERE c.cents < 200',
  'SELECT m.id, c.code FROM maker m LEFT JOIN clock c ON c.maker_id = m.id AND c.cents > 500',
  'SELECT m.id, c.code FROM clock c RIGHT JOIN maker m ON c.maker_id = m.id WHERE c.code IS NULL',
  'SELECT town FROM maker m WHERE EXISTS (SELECT 1 FROM clock c WHERE c.maker_id = m.id)',
  'SELECT code FROM clock WHERE cents > (SELECT avg(cents) FROM clock)',
  'SELECT t.town, count(*) FROM (SELECT town, id FROM maker) t, clock c WHERE c.maker_id = t.id GROUP BY t.town',
  'WITH dear AS (SELECT * FROM clock WHERE cents > 400) SELECT town FROM dear JOIN maker ON maker_id = id',
  'SELECT town FROM maker UNION SELECT code FROM clock',
  'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40) SELECT i FROM n',
  "SELECT note FROM oddity WHERE rowid = 'y'",
];
const parse = (sql: string) => parseQuery(sql, { catalog, referenceTime: '2024-01-01 00:00:00' });
const rows = (sql: string) => db.prepare(sql).raw().all();

test.each(QUERIES)('counts rows and gives the same ones: %s', (sql) => {
  const query = parse(sql);
  visits = 0;
  expect(rows(printQuery(countVisits(query, 'visited', shapes)))).toEqual(rows(printQuery(query)));
  expect(visits).toBeGreaterThan(0);
});

test.each(QUERIES)('the order in which SQLite visits the tables stays the same: %s', (sql) => {
  const steps = (text: string) =>
    (db.prepare(`EXPLAIN QUERY PLAN ${text}`).all() as { detail: string }[])
      .map(({ detail }) => detail)
      // A filter saves look-ups; the rows and their order are the same with it.
      .filter((detail) => !detail.startsWith('BLOOM FILTER'));
  const query = parse(sql);
  expect(steps(printQuery(countVisits(query, 'visited', shapes)))).toEqual(steps(printQuery(query)));
});

test('rows that an outer join looks at and does not match are counted', () => {
  visits = 0;
  rows(
    printQuery(
      countVisits(parse('SELECT 1 FROM maker m LEFT JOIN oddity o ON o.note = m.town'), 'visited', shapes),
    ),
  );
  expect(visits).toBeGreaterThanOrEqual(5 + 2);
});

test('each row of a product is counted', () => {
  visits = 0;
  rows(printQuery(countVisits(parse('SELECT 1 FROM maker, clock, oddity'), 'visited', shapes)));
  expect(visits).toBeGreaterThanOrEqual(5 * 60 * 2);
});

test('a recursion without an end is stopped, though it visits no table', () => {
  const query = parse(
    'WITH RECURSIVE n (i, c) AS (SELECT 1, 0 UNION ALL SELECT 3 - i, c + 1 FROM n) SELECT i FROM n',
  );
  const limited = new Database(':memory:');
  let left = 1000;
  limited.function('visited', { varargs: true, deterministic: true }, () => {
    if (left-- === 0) throw new Error('too many');
    return 1;
  });
  const counted = printQuery(countVisits(query, 'visited', shapes));
  expect(() => limited.prepare(counted).all()).toThrow('too many');
  limited.close();
});
