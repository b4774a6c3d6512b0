import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, expect, test } from 'vitest';
import { parseQuery, printQuery, type Query } from '../sql/index.ts';
import { Oracle } from './oracle/oracle.ts';
import { makeServedCopy, planIndexes } from './oracle/served-copy.ts';
import { readCatalog } from './read/catalog.ts';
import { breakTies } from './tie-breaking.ts';
import { expectAnswer, isExpected } from './verify/expectation.ts';

const folder = mkdtempSync(join(tmpdir(), 'rookery-ties-'));
const file = join(folder, 'ties.sqlite');
const shared = new Oracle({ referenceTime: '2024-01-01 00:00:00', children: 1 });
afterAll(async () => {
  await shared.close();
  rmSync(folder, { recursive: true });
});

// Few values in many rows, in no order: ties everywhere.
const db = new Database(file);
db.exec(`CREATE TABLE hero (id INTEGER PRIMARY KEY, name TEXT, height INTEGER, team INTEGER);
  CREATE TABLE team (id INTEGER PRIMARY KEY, name TEXT, rank INTEGER);
  CREATE TABLE fight (hero INTEGER, place TEXT, points INTEGER);
  CREATE TABLE season (year INTEGER, coach TEXT, place TEXT);`);
for (let i = 1; i <= 300; i++) {
  db.prepare('INSERT INTO hero VALUES (?, ?, ?, ?)').run(
    BigInt((i * 37) % 301),
    `hero ${i}`,
    BigInt((i * 7) % 11),
    BigInt((i * 5) % 120),
  );
  if (i <= 120) {
    db.prepare('INSERT INTO team VALUES (?, ?, ?)').run(BigInt(i), `team ${i % 50}`, BigInt(i % 6));
  }
  if (i <= 90) {
    const coach = `coach ${(i * 17) % 23}`;
    db.prepare('INSERT INTO season VALUES (?, ?, ?)').run(BigInt(i), coach, `place ${i % 13}`);
  }
  for (const j of [1, 2]) {
    const place = `place ${(i * j) % 13}`;
    db.prepare('INSERT INTO fight VALUES (?, ?, ?)').run(BigInt((i * 11) % 301), place, BigInt((i + j) % 4));
  }
}
const catalog = readCatalog('ties', db);
db.close();
const oracle = shared.over(catalog);
const parse = (sql: string) => parseQuery(sql, { catalog, referenceTime: '2024-01-01 00:00:00' });

/** A gold query with its ties broken: its answers on the file and on a copy with every useful index. */
async function answersOf(sql: string) {
  const query = parse(sql);
  const expected = await expectAnswer(sql, query, file, { oracle, catalog });
  const agreement = async (version: Query) =>
    Number(isExpected(expected, (await oracle.run(file, printQuery(version))).rows));
  const { query: broken, open } = await breakTies(query, { catalog, file, states: 1, agreement });
  const served = join(folder, 'served.sqlite');
  rmSync(served, { force: true });
  const everything = catalog.tables.flatMap(({ name, columns }) =>
    columns.map((column) => ({ table: name, columns: [column.name] })),
  );
  makeServedCopy(file, served, [...planIndexes([query], catalog), ...everything]);
  const run = async (text: string) => (await oracle.run(served, text)).rows;
  return { expected, open, before: await run(printQuery(query)), after: await run(printQuery(broken)) };
}

test.each([
  'SELECT name FROM hero ORDER BY height DESC LIMIT 1',
  'SELECT name FROM hero ORDER BY height LIMIT 3 OFFSET 4',
  'SELECT name FROM hero WHERE team < 60 LIMIT 4',
  'SELECT name FROM hero WHERE is_prime(count_characters(name)) = 1 ORDER BY height LIMIT 4',
  'SELECT h.name, t.name FROM hero h JOIN team t ON t.id = h.team ORDER BY t.rank DESC LIMIT 2',
  'SELECT h.name FROM fight f JOIN hero h ON f.hero = h.id ORDER BY f.points DESC LIMIT 1',
  'SELECT t.name FROM hero h JOIN team t ON t.id = h.team GROUP BY t.name ORDER BY count(*) DESC LIMIT 1',
  'SELECT count(*) FROM hero WHERE team > (SELECT team FROM hero ORDER BY height DESC LIMIT 1)',
  'SELECT DISTINCT place FROM fight ORDER BY points LIMIT 3',
  'SELECT name, count(*) FROM hero GROUP BY height',
  'SELECT h.name, sum(f.points) FROM hero h JOIN fight f ON f.hero = h.id GROUP BY h.id ORDER BY 2 LIMIT 5',
  'SELECT s.coach, f.place FROM fight f JOIN season s ON f.place = s.place WHERE f.points = 2 GROUP BY f.place',
  'SELECT s.coach, s.place FROM fight f JOIN season s ON f.place = s.place GROUP BY f.place ORDER BY count(*) DESC LIMIT 1',
  'SELECT name, row_number() OVER (ORDER BY height) FROM hero WHERE team = 5',
  'SELECT name FROM (SELECT h.name, avg(f.points) a FROM hero h JOIN fight f ON f.hero = h.id GROUP BY f.hero ORDER BY a DESC LIMIT 3)',
  'SELECT name, max(height) FROM hero',
  'SELECT min(f.points), h.name, h.team + 1 FROM fight f JOIN hero h ON f.hero = h.id WHERE h.height > 3',
  'SELECT name, max(height) FROM hero WHERE team > 1000',
  'SELECT group_concat(DISTINCT place) FROM fight',
  'SELECT height, group_concat(name) FROM hero WHERE team > 5 GROUP BY height',
])('%s gives the same rows whatever indexes there are', async (sql) => {
  const { expected, open, after } = await answersOf(sql);
  expect(open).toEqual([]);
  expect(isExpected(expected, after)).toBe(true);
});

test('without it indexes do change answers', async () => {
  const { expected, before } = await answersOf('SELECT name FROM hero ORDER BY height DESC LIMIT 1');
  expect(isExpected(expected, before)).toBe(false);
});

test('what cannot be spelled out is told', async () => {
  const { open } = await answersOf('SELECT name, max(height) FROM hero GROUP BY team % 5');
  expect(open.map(({ kind }) => kind)).toEqual(['bare_column']);
});
