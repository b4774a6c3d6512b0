import Database from 'better-sqlite3';
import { afterAll, expect, test } from 'vitest';
import { readCatalog } from '../read/catalog.ts';
import { tableShapes } from '../variants/changes.ts';
import { Random } from '../variants/random.ts';
import { readUnits } from './units.ts';

const db = new Database(':memory:');
afterAll(() => db.close());

/** A brewery's beers: what depends on what is known, and all else is drawn. */
db.exec(`CREATE TABLE beer (
  id INTEGER PRIMARY KEY, name TEXT, kind TEXT, malt TEXT, malt_code INTEGER, brewed TEXT, drunk TEXT, price REAL, stars INTEGER, ean TEXT UNIQUE, batch TEXT)`);
const random = new Random('beers');
const insert = db.prepare('INSERT INTO beer VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
const day = (n: number) => new Date(Date.UTC(2024, 0, n)).toISOString().slice(0, 10);
for (let i = 0; i < 200; i++) {
  const kind = random.pick(['Helles', 'IPA', 'Porter', 'Weizen']) ?? '';
  const malt = random.below(9);
  const brewed = random.below(300);
  const price = random.below(90) / 10;
  insert.run(
    i,
    `${random.pick(['Golden', 'Old', 'Abbey', 'River'])} ${kind} ${i}`,
    kind,
    `malt ${malt}`,
    7 * malt,
    day(brewed),
    day(brewed + random.below(40)),
    price,
    random.below(5),
    `4001${i}`,
    `4001${i}/${random.below(9)}`,
  );
}
const [shape] = tableShapes(db, readCatalog('brewery', db));

test('columns that depend on each other change places together, others alone', () => {
  if (!shape) throw new Error('no table');
  const { all, bound } = readUnits(db, shape, [], () => false);
  expect(all).toEqual([['name', 'kind'], ['malt', 'malt_code'], ['brewed', 'drunk'], ['price'], ['stars']]);
  // The batch contains a code that is unique, which keeps its place.
  expect([...bound].sort()).toEqual(['batch', 'brewed', 'drunk', 'ean', 'kind', 'malt', 'malt_code', 'name']);
});

test('what is fixed keeps its place with all that depends on it', () => {
  if (!shape) throw new Error('no table');
  const { of } = readUnits(db, shape, [['price', 'stars']], (column) => column === 'malt');
  expect(of.get('malt_code')).toBeUndefined();
  expect(of.get('stars')).toEqual(['price', 'stars']);
});
