import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseQuery } from '../../sql/index.ts';
import { Oracle } from '../oracle/oracle.ts';
import { readCatalog } from '../read/catalog.ts';
import type { Change } from './changes.ts';
import { makeNeighbour, planNeighbours } from './neighbours.ts';

const folder = mkdtempSync(join(tmpdir(), 'rookery-neighbours-'));
const file = join(folder, 'shop.sqlite');
const oracle = new Oracle({ referenceTime: '2024-01-01 00:00:00', children: 1 });
afterAll(async () => {
  await oracle.close();
  rmSync(folder, { recursive: true });
});

const SCHEMA = `
  CREATE TABLE city (id INTEGER PRIMARY KEY, name TEXT NOT NULL COLLATE NOCASE, twin TEXT UNIQUE);
  CREATE TABLE shop (code TEXT PRIMARY KEY, city_id INTEGER REFERENCES city (id), area REAL,
    label TEXT GENERATED ALWAYS AS (code || '!') VIRTUAL, CHECK (area >= 0));
  CREATE TABLE sale (shop TEXT REFERENCES shop (code), day TEXT, amount INTEGER);
  CREATE TABLE price (item TEXT, day TEXT, cents INTEGER, PRIMARY KEY (item, day)) WITHOUT ROWID;
  CREATE TABLE log (what TEXT);
  CREATE VIEW big AS SELECT * FROM shop WHERE area > 50;
  CREATE TRIGGER noted AFTER UPDATE ON sale BEGIN INSERT INTO log VALUES ('changed'); END;
  CREATE INDEX by_day ON sale (day);`;

beforeAll(() => {
  const db = new Database(file);
  db.pragma('foreign_keys = OFF');
  db.exec(SCHEMA);
  for (let i = 1; i <= 40; i++) {
    db.prepare('INSERT INTO city VALUES (?, ?, ?)').run(BigInt(i), `City ${i % 9}`, i % 3 ? `T${i}` : null);
    db.prepare('INSERT INTO shop (code, city_id, area) VALUES (?, ?, ?)').run(
      `s${i}`,
      BigInt((i % 20) + 1),
      i * 2.5,
    );
    for (let j = 0; j < 5; j++) {
      const day = `2024-0${(j % 5) + 1}-1${i % 10}`;
      db.prepare('INSERT INTO sale VALUES (?, ?, ?)').run(`s${i}`, day, BigInt((i * j) % 17));
      db.prepare('INSERT INTO price VALUES (?, ?, ?)').run(`item ${i}`, day, BigInt(i + j));
    }
  }
  db.exec('DELETE FROM sale WHERE rowid % 7 = 0');
  db.close();
});

const catalog = () => {
  const db = new Database(file, { readonly: true });
  try {
    return readCatalog('shop', db);
  } finally {
    db.close();
  }
};
const parse = (sql: string) => parseQuery(sql, { catalog: catalog(), referenceTime: '2024-01-01 00:00:00' });
const plan = (sqls: readonly string[], seed = 'seed') =>
  planNeighbours({ file, catalog: catalog(), queries: sqls.map(parse), seed, oracle }, 2);
const withNeighbour = <T>(changes: readonly Change[], read: (db: Database.Database) => T): T => {
  const target = join(folder, 'neighbour.sqlite');
  rmSync(target, { force: true });
  makeNeighbour(file, target, changes);
  const db = new Database(target, { readonly: true });
  try {
    return read(db);
  } finally {
    db.close();
  }
};
const schemaOf = (db: Database.Database) =>
  db.prepare('SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name').all();

const QUERY =
  "SELECT c.name, sum(s.amount) FROM city c JOIN shop h ON h.city_id = c.id JOIN sale s ON s.shop = h.code WHERE s.amount > 5 AND h.area >= 20.0 AND c.name = 'City 3' GROUP BY c.name";

test('the same seed gives the same bytes, another seed and the other neighbour do not', async () => {
  const [first, second] = await plan([QUERY]);
  const [again] = await plan([QUERY]);
  const [other] = await plan([QUERY], 'other');
  const bytes = (changes: readonly Change[] = []) => {
    makeNeighbour(file, join(folder, 'b.sqlite'), changes);
    return readFileSync(join(folder, 'b.sqlite')).toString('latin1');
  };
  expect(bytes(again)).toBe(bytes(first));
  expect(bytes(second)).not.toBe(bytes(first));
  expect(bytes(other)).not.toBe(bytes(first));
});

test('schema, keys, constraints and generated columns hold, and triggers do not fire', async () => {
  const original = new Database(file, { readonly: true });
  const schema = schemaOf(original);
  original.close();
  for (const changes of await plan([QUERY])) {
    withNeighbour(changes, (db) => {
      expect(schemaOf(db)).toEqual(schema);
      expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
      expect(db.prepare('SELECT count(*) FROM log').pluck().get()).toBe(0);
      expect(db.prepare("SELECT count(*) FROM shop WHERE label IS NOT code || '!'").pluck().get()).toBe(0);
      expect(db.prepare('SELECT count(*) FROM city WHERE name IS NULL').pluck().get()).toBe(0);
    });
  }
});

test('most rows stay, some go, change or turn NULL, and most references still lead somewhere', async () => {
  const [changes = []] = await plan([]);
  expect(changes.some(({ kind }) => kind === 'delete')).toBe(true);
  withNeighbour(changes, (db) => {
    db.exec(`ATTACH '${file}' AS original`);
    const one = (sql: string) => db.prepare(sql).pluck().get() as number;
    const all = one('SELECT count(*) FROM original.sale');
    const same = one(
      'SELECT count(*) FROM sale s JOIN original.sale o ON s.rowid = o.rowid AND s.shop IS o.shop AND s.day IS o.day AND s.amount IS o.amount',
    );
    expect(same).toBeGreaterThan(all * 0.7);
    expect(same).toBeLessThan(all);
    expect(one('SELECT count(*) FROM sale WHERE amount IS NULL OR day IS NULL')).toBeGreaterThan(0);
    const lost = one('SELECT count(*) FROM sale WHERE shop NOT IN (SELECT code FROM shop)');
    expect(lost).toBeLessThan(all * 0.15);
    expect(one('SELECT count(*) FROM price')).toBeGreaterThan(150);
  });
});

test.each([
  ['a boundary', QUERY.replace('> 5', '>= 5')],
  ['the other boundary', QUERY.replace('>= 20.0', '> 20.0')],
  ['a condition', QUERY.replace("AND c.name = 'City 3'", '')],
  ['another condition', QUERY.replace('AND h.area >= 20.0', '')],
  [
    'a join',
    QUERY.replace('JOIN shop h', 'LEFT JOIN shop h')
      .replace('JOIN sale s', 'LEFT JOIN sale s')
      .replace('WHERE s.amount > 5 AND', 'WHERE'),
  ],
])('a query that is wrong about %s is told from the right one', async (_, wrong) => {
  const answers = (await plan([QUERY])).map((changes) =>
    withNeighbour(changes, (db) => [db.prepare(QUERY).raw().all(), db.prepare(wrong).raw().all()]),
  );
  expect(answers.some(([right, other]) => JSON.stringify(right) !== JSON.stringify(other))).toBe(true);
});

test.each([
  'SELECT name FROM city WHERE id = 9223372036854775807',
  'SELECT name FROM city WHERE id > 9223372036854775807 OR id < -9223372036854775807 - 1',
  'SELECT name FROM city WHERE id BETWEEN -9223372036854775808 AND 9223372036854775807 LIMIT 1',
])('has a neighbour at the ends of the integers: %s', async (sql) => {
  for (const changes of await plan([sql])) withNeighbour(changes, (db) => db.exec(sql));
});

test('a query that finds nothing in the original finds something in a neighbour', async () => {
  const nothing =
    "SELECT h.code FROM shop h JOIN city c ON c.id = h.city_id WHERE c.name = 'Nowhere' AND h.area < 3";
  const found = (await plan([nothing])).map((changes) =>
    withNeighbour(changes, (db) => db.prepare(nothing).all().length),
  );
  expect(Math.max(...found)).toBeGreaterThan(0);
});

test('a variant is the same bytes for the same seed, whoever makes it and whatever was there', async () => {
  const make = async (seed: string, children: number) => {
    const target = join(folder, 'variant.sqlite');
    const own = new Oracle({ referenceTime: '2024-01-01 00:00:00', children });
    try {
      const queries = [QUERY, 'SELECT max(cents) FROM price WHERE cents < 30'].map(parse);
      const [changes = []] = await planNeighbours(
        { file, catalog: catalog(), queries, seed, oracle: own },
        1,
      );
      makeNeighbour(file, target, changes);
    } finally {
      await own.close();
    }
    const db = new Database(target, { readonly: true });
    const answer = db.prepare('SELECT total(amount) FROM sale').pluck().get();
    db.close();
    return { bytes: readFileSync(target).toString('latin1'), answer };
  };
  const first = await make('a', 1);
  const other = await make('b', 1);
  expect(other.bytes).not.toBe(first.bytes);
  expect(other.answer).not.toBe(first.answer);
  expect(await make('a', 3)).toEqual(first);
});
