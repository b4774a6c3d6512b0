import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readDomain } from '../read/read-split.ts';
import { Oracle } from './oracle.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'rookery-oracle-'));
const file = path.join(folder, 't.sqlite');
const oracle = new Oracle({
  referenceTime: '2024-03-05 06:07:08',
  children: 1,
  limitMs: 3000,
  maxRows: 50,
  maxBytes: 2000,
});

beforeAll(() => {
  const db = new Database(file);
  db.exec(`CREATE TABLE t (a INTEGER, b TEXT, c REAL, d BLOB);
    INSERT INTO t VALUES (9007199254740993, 'x' || char(0) || 'y', 9e999, x'00ff'),
      (NULL, CAST(x'41ff42e282' AS TEXT), 1.0, NULL), (3, 'é😀', -0.5, x'')`);
  db.close();
});
afterAll(async () => {
  await oracle.close();
  rmSync(folder, { recursive: true });
});

const rows = [
  [9007199254740993n, 'x\u0000y', null, '00FF'],
  [null, 'A\ufffdB\ufffd', 1, null],
  [3, 'é😀', -0.5, ''],
];

test('gives every kind of value as a cell', async () => {
  const gold = await oracle.run(file, 'SELECT a, b, c, d AS "last" FROM t');
  expect(gold).toEqual({ columns: ['a', 'b', 'c', 'last'], rows, engine: 'native', pinned: false });
});

test('"text" that names no column is a string, one that does is the column', async () => {
  const gold = await oracle.run(file, 'SELECT "b", "nope", t."a" FROM t WHERE "A" = 3;');
  expect(gold.rows).toEqual([['é😀', 'nope', 3]]);
  expect(gold.engine).toBe('requoted');
  expect((await oracle.run(file, 'SELECT "b" FROM t')).engine).toBe('native');
});

test('can visit rows the other way round, for one run', async () => {
  const last = 'SELECT a FROM t LIMIT 1';
  expect((await oracle.run(file, last, { reversed: true })).rows).toEqual([[3]]);
  expect((await oracle.run(file, last)).rows).toEqual([[9007199254740993n]]);
});

test("has SQLite's own functions, and no others", async () => {
  const gold = await oracle.run(file, 'SELECT log(1000), sqrt(16), sign(-4.5), typeof(ceil(2.1))');
  expect(gold.rows).toEqual([[3, 4, -1, 'real']]);
  await expect(oracle.run(file, 'SELECT stdev(a) FROM t')).rejects.toThrow(/no such function/);
});

test('now is the reference time', async () => {
  const gold = await oracle.run(
    file,
    `SELECT datetime('now', 'localtime'), "x" || date("now"), CURRENT_DATE`,
  );
  expect(gold.rows).toEqual([['2024-03-05 06:07:08', 'x2024-03-05', '2024-03-05']]);
  expect(gold.pinned).toBe(true);
});

test.each([
  ['SELECT random()', 'NONDETERMINISTIC', /random\(\)/],
  ['SELECT nope FROM t', 'SQL_NOT_EXECUTABLE', /no such column: nope/],
  ['SELECT "x", nope FROM t', 'SQL_NOT_EXECUTABLE', /no such column: nope/],
  ['SELECT * FROM nowhere', 'SQL_NOT_EXECUTABLE', /no such table: nowhere/],
  ['SELECT', 'SQL_NOT_EXECUTABLE', /incomplete input|syntax error/],
  ['SELECT abs(-9223372036854775808) FROM t', 'SQL_NOT_EXECUTABLE', /integer overflow/],
  ['DELETE FROM t', 'SQL_NOT_EXECUTABLE', /not a query/],
  ['DELETE FROM t WHERE b = "x" RETURNING a', 'SQL_NOT_EXECUTABLE', /readonly|read-only/],
  ['SELECT "x"; SELECT 2', 'SQL_NOT_EXECUTABLE', /more than one/],
  ['SELECT 1 FROM t, t, t, t, t', 'SQL_TOO_LARGE', /50 rows/],
  ["SELECT hex(zeroblob(5000)), 'x'", 'SQL_TOO_LARGE', /2000 bytes/],
  ["SELECT 'a''", 'SQL_NOT_PARSED', /never closed/],
])('%s is %s', async (sql, code, message) => {
  await expect(oracle.run(file, sql)).rejects.toMatchObject({
    code,
    message: expect.stringMatching(message),
  });
});

test.runIf(process.platform === 'linux')(
  'a value that takes all memory rejects its statement only',
  async () => {
    const doubled = `WITH RECURSIVE d(n, s) AS (SELECT 1, 'x' UNION ALL SELECT n + 1, s || s FROM d WHERE n < 30)
    SELECT s FROM d`;
    await expect(oracle.run(file, doubled)).rejects.toMatchObject({ code: expect.stringMatching(/^SQL_/) });
    expect((await oracle.run(file, 'SELECT count(*) FROM t')).rows).toEqual([[3]]);
  },
);

test('a statement that never ends is stopped', async () => {
  const forever =
    'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n WHERE i = "x"';
  await expect(oracle.run(file, forever)).rejects.toMatchObject({ code: 'TOO_SLOW' });
  expect((await oracle.run(file, 'SELECT count(*) FROM t')).rows).toEqual([[3]]);
});

test('statements over a known catalog call scalar APIs, as functions and as tables; others do not', async () => {
  const file = path.join(folder, 'towns.sqlite');
  const db = new Database(file);
  db.exec(`CREATE TABLE town (city TEXT, country TEXT);
    INSERT INTO town VALUES ('Acton', 'England'), ('Regina', 'Canada')`);
  db.close();
  const catalog = (await readDomain('towns', file)).catalog;
  const functions = 'SELECT city FROM town WHERE count_syllables(get_country_of_place(city)) = 2';
  const tables = `SELECT t.city FROM town AS t JOIN get_country_of_place AS c ON c.place = t.city
    JOIN count_syllables AS s ON s.string = c.country AND s.count = 2`;
  await expect(oracle.run(file, functions)).rejects.toThrow('no such function');
  for (const sql of [functions, tables]) {
    expect((await oracle.over(catalog).run(file, sql)).rows).toEqual([['Acton']]);
  }
});

test('an oracle that remembers runs statements together and each once; what fails is left to be run alone', async () => {
  const copy = path.join(folder, 'copy.sqlite');
  copyFileSync(file, copy);
  const { catalog } = await readDomain('copy', copy);
  const remembering = oracle.over(catalog, { remembers: true });
  await remembering.runAhead(copy, [
    { sql: 'SELECT a FROM t' },
    { sql: 'SELECT b FROM t', least: 3 },
    { sql: 'SELECT c FROM t', least: 4 },
    { sql: 'SELECT nothing' },
    { sql: 'SELECT "a" FROM t', engine: 'native' },
  ]);
  rmSync(copy);
  expect((await remembering.run(copy, 'SELECT a FROM t')).rows).toEqual(rows.map(([a]) => [a]));
  expect((await remembering.run(copy, 'SELECT b FROM t')).rows).toEqual(rows.map(([, b]) => [b]));
  const native = await remembering.run(copy, 'SELECT "a" FROM t', { engine: 'native' });
  expect(native.rows).toEqual(rows.map(([a]) => [a]));
  for (const sql of ['SELECT c FROM t', 'SELECT nothing', 'SELECT "a" FROM t'])
    await expect(remembering.run(copy, sql), sql).rejects.toThrow('ENOENT');
});
