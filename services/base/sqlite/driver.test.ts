import { copyFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeZoo, RUNAWAY, temporaryFolder } from '../../testing/zoo.ts';
import { betterSqlite3 } from './better-sqlite3.ts';
import {
  type Connection,
  isBounded,
  jsonSql,
  rowsAsJson,
  runJsonQuery,
  statementMegabytes,
} from './driver.ts';

const folder = temporaryFolder();
const file = join(folder.path, 'zoo.sqlite');
const caps = { maxRows: 100, maxBytes: 1e6 };
let zoo: Connection;

beforeAll(() => {
  makeZoo(file);
  zoo = betterSqlite3.open(file);
});
afterAll(() => {
  zoo.close();
  folder.remove();
});

const run = (sql: string, keys: string[], more = {}, parameters = {}) =>
  rowsAsJson(zoo.prepare(jsonSql(sql, keys)), parameters, { ...caps, ...more });

test('prints every kind of value', () => {
  const values = [
    ['1', '1'],
    ['1.0', '1.0'],
    ['0.1 + 0.2', '0.30000000000000004'],
    ['9223372036854775807', '9223372036854775807'],
    ['-9223372036854775808', '-9223372036854775808'],
    ['9e999', 'null'],
    ['-9e999', 'null'],
    ['NULL', 'null'],
    ["x'00ff'", '"00FF"'],
    ["x''", '""'],
    [`'a"b\\c'`, '"a\\"b\\\\c"'],
    ["'a' || char(0, 9, 10) || 'b'", '"a\\u0000\\t\\nb"'],
    ["CAST(x'63e9' AS TEXT)", '"c\uFFFD"'],
    // Text that looks like JSON stays text.
    ["json('[1]')", '"[1]"'],
    ["json_object('a', 1)", '"{\\"a\\":1}"'],
  ] as const;
  for (const [expression, text] of values) {
    expect(run(`SELECT ${expression}`, ['v']).text, expression).toBe(`{"v":${text}}`);
  }
});

test('maps keys by position, whatever the column names', () => {
  const quoted = `it's "quoted"`;
  const keys = ['Name', 'name', quoted, 'order'];
  const { text } = run('SELECT id, -id, "Percent (%) fed [K-12]", "order" FROM animal WHERE id = 1', keys);
  expect(JSON.parse(text)).toEqual({ Name: 1, name: -1, [quoted]: 0.5, order: 'cats' });
});

test('supports more columns than a function takes arguments', () => {
  const keys = Array.from({ length: 1203 }, (_, at) => `k${at}`);
  const { text } = run(`SELECT ${keys.map((_, at) => at).join(', ')}`, keys);
  expect(JSON.parse(text)).toEqual(Object.fromEntries(keys.map((key, at) => [key, at])));
});

test('preserves order, comments, WITH and set operations', () => {
  expect(run('SELECT id FROM animal ORDER BY id DESC LIMIT 2 -- the last', ['id']).text).toBe(
    '{"id":5},{"id":4}',
  );
  expect(
    run('WITH a AS (SELECT 1 AS x) SELECT x FROM a UNION ALL SELECT 2 ORDER BY 1 DESC', ['x']).text,
  ).toBe('{"x":2},{"x":1}');
});

test('omits and reports rows beyond the cap; exactly the cap is not truncated', () => {
  const sql = 'SELECT id FROM animal ORDER BY id';
  expect(run(sql, ['id'], { maxRows: 2 })).toEqual({ text: '{"id":1},{"id":2}', count: 2, truncated: true });
  expect(run(sql, ['id'], { maxRows: 5 })).toMatchObject({ count: 5, truncated: false });
  expect(run(sql, ['id'], { maxRows: 2, offset: 4 })).toEqual({
    text: '{"id":5}',
    count: 1,
    truncated: false,
  });
  expect(run(sql, ['id'], { maxRows: 0 })).toEqual({ text: '', count: 0, truncated: true });
});

test('counts bytes in UTF-8', () => {
  const row = '{"name":"Zoë 🐘"}';
  const bytes = Buffer.byteLength(row) + 1;
  const sql = 'SELECT name FROM animal WHERE id = 4';
  expect(run(sql, ['name'], { maxBytes: bytes })).toEqual({ text: row, count: 1, truncated: false });
  expect(run(sql, ['name'], { maxBytes: bytes - 1 })).toEqual({ text: '', count: 0, truncated: true });
});

test('abandons a slow statement when its budget is spent', () => {
  const endless = RUNAWAY.replace('count(*)', 'i');
  const began = performance.now();
  expect(() => run(endless, ['i'], { maxRows: 1e9, maxBytes: 1e12, budgetMs: 30 })).toThrow(
    'not done after 30 ms',
  );
  expect(performance.now() - began).toBeLessThan(60_000);
});

test('an error that depends on values is a QueryFailedError; an invalid statement is not', () => {
  const query = { parameters: { n: -(2n ** 63n) }, caps, keep: true };
  expect(() => runJsonQuery(zoo, { ...query, sql: jsonSql('SELECT abs(:n)', ['v']) })).toThrow(
    expect.objectContaining({ name: 'QueryFailedError' }),
  );
  expect(() => runJsonQuery(zoo, { ...query, sql: jsonSql('SELECT nothing', ['v']) })).toThrow(
    expect.objectContaining({ name: 'SqliteError' }),
  );
});

const PARAMETERS = { id: 1n, o: 'cats', ids: '[1]', many: 3n, list: '[1,2]' };
const isBoundedFolder = temporaryFolder();
let connection: Connection;
beforeAll(() => {
  makeZoo(`${isBoundedFolder.path}/zoo.sqlite`);
  connection = betterSqlite3.open(`${isBoundedFolder.path}/zoo.sqlite`);
});
afterAll(() => {
  connection.close();
  isBoundedFolder.remove();
});

describe('a statement is bounded', () => {
  test.each([
    'SELECT name FROM animal WHERE id = :id',
    'SELECT count(*) FROM animal',
    'SELECT max(weight), avg(id) FROM animal WHERE "order" = :o',
    'SELECT 1',
    'SELECT name FROM animal ORDER BY weight DESC LIMIT 3',
    'SELECT a.name, b.name FROM animal AS a JOIN animal AS b ON b.id = a.weight WHERE a.id = 1',
  ])('%s', (sql) => {
    expect(isBounded(connection, sql, PARAMETERS)).toBe(true);
  });
});

describe('a statement is unbounded', () => {
  test.each([
    'SELECT name FROM animal',
    'SELECT name FROM animal WHERE weight > 1',
    'SELECT name FROM animal WHERE id IN (1, 2)',
    'SELECT name FROM animal WHERE id IN (SELECT value FROM json_each(:ids))',
    'SELECT "order", count(*) FROM animal GROUP BY "order"',
    'SELECT name FROM animal ORDER BY weight',
    'SELECT DISTINCT "order" FROM animal',
    'SELECT name FROM animal WHERE id = 1 UNION ALL SELECT name FROM animal',
    'SELECT name FROM animal WHERE id = 1 OR weight = 2',
    'SELECT name FROM animal LIMIT 100000',
    "SELECT name FROM animal WHERE name <> ' LIMIT 1'",
    'SELECT b.name FROM (SELECT id FROM animal LIMIT 2) AS a, animal AS b',
    'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :many) SELECT i FROM n',
    'SELECT value FROM json_each(:list)',
  ])('%s', (sql) => {
    expect(isBounded(connection, sql, PARAMETERS)).toBe(false);
  });
});

const betterSqlite3Folder = temporaryFolder();
const betterSqlite3File = join(betterSqlite3Folder.path, 'zoo.sqlite');
let betterSqlite3Zoo: Connection;

beforeAll(() => {
  makeZoo(betterSqlite3File);
  betterSqlite3Zoo = betterSqlite3.open(betterSqlite3File);
});
afterAll(() => {
  betterSqlite3Zoo.close();
  betterSqlite3Folder.remove();
});

test('keeps integers exact and distinct from reals, in both directions', () => {
  expect(
    betterSqlite3Zoo.prepare('SELECT 1, 1.0, 9223372036854775807, typeof(:n), :n').all({ n: 2n ** 60n }),
  ).toEqual([[1n, 1, 9223372036854775807n, 'integer', 2n ** 60n]]);
  expect(betterSqlite3Zoo.prepare('SELECT typeof(:n)').all({ n: 2 })).toEqual([['real']]);
});

test('reads invalid UTF-8 as replacement characters, and NUL and blobs unchanged', () => {
  expect(betterSqlite3Zoo.prepare('SELECT name FROM animal WHERE id = 3').all()).toEqual([['c\uFFFD']]);
  expect(betterSqlite3Zoo.prepare('SELECT note FROM animal WHERE id = 4').all()).toEqual([['a\0b']]);
  expect(betterSqlite3Zoo.prepare('SELECT photo FROM animal WHERE id = 1').all()).toEqual([
    [Buffer.from([0, 255, 16])],
  ]);
});

test('yields rows one at a time, and stops early', () => {
  const seen: unknown[] = [];
  betterSqlite3Zoo.prepare('SELECT id FROM animal ORDER BY id').each({}, ([id]) => seen.push(id) < 2);
  expect(seen).toEqual([1n, 2n]);
  const again: unknown[] = [];
  betterSqlite3Zoo.prepare('SELECT id FROM animal ORDER BY id').eachFirst({}, (id) => again.push(id) > 0);
  expect(again).toEqual([1n, 2n, 3n, 4n, 5n]);
});

test('caches statements by text, ad hoc ones for a while', () => {
  expect(betterSqlite3Zoo.prepare('SELECT 1')).toBe(betterSqlite3Zoo.prepare('SELECT 1'));
  const first = betterSqlite3Zoo.prepareAdHoc('SELECT 2');
  expect(betterSqlite3Zoo.prepareAdHoc('SELECT 2')).toBe(first);
  for (let i = 0; i < 600; i++) betterSqlite3Zoo.prepareAdHoc(`SELECT 3, ${i}`);
  expect(betterSqlite3Zoo.prepareAdHoc('SELECT 2').all()).toEqual([[2n]]);
});

test.each([
  'DELETE FROM animal',
  'CREATE TABLE x(a)',
  "ATTACH DATABASE '/tmp/x' AS x",
  'PRAGMA query_only = off',
  'COMMIT',
])('%s fails or changes nothing', (sql) => {
  const rows = () => betterSqlite3Zoo.prepare('SELECT count(*) FROM animal').all();
  expect(() => betterSqlite3Zoo.prepare(sql).all()).toThrow();
  expect(rows()).toEqual([[5n]]);
});

test.each([
  ['missing', 'SQLITE_CANTOPEN', (path: string) => path],
  ['in a missing folder', 'SQLITE_CANTOPEN', (path: string) => join(path, 'deeper', 'x.sqlite')],
  [
    'no database',
    'SQLITE_NOTADB',
    (path: string) => {
      writeFileSync(path, 'This is a text file, not a database.'.repeat(100));
      return path;
    },
  ],
  [
    'cut short',
    'SQLITE_CORRUPT',
    (path: string) => {
      copyFileSync(betterSqlite3File, path);
      truncateSync(path, 4096);
      return path;
    },
  ],
])('a file that is %s is a SqliteError at open or first use', (name, code, make) => {
  const path = make(join(betterSqlite3Folder.path, name.replaceAll(' ', '-')));
  let error: unknown;
  try {
    betterSqlite3.open(path).prepare('SELECT * FROM animal').all();
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toMatchObject({ name: 'SqliteError', code });
});

test('statements get a quarter of a container beyond what Node.js needs, at most 640 MB', () => {
  const MiB = 1024 * 1024;
  expect([0, 256 * MiB, 1024 * MiB, 2 ** 53].map((bytes) => statementMegabytes(bytes))).toEqual([
    640, 192, 384, 640,
  ]);
});
