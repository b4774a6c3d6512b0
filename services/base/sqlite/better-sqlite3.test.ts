import { copyFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeZoo, temporaryFolder } from '../../testing/zoo.ts';
import { betterSqlite3 } from './better-sqlite3.ts';
import type { Connection } from './driver.ts';
import { heapLimit } from './limit-heap.ts';

const folder = temporaryFolder();
const file = join(folder.path, 'zoo.sqlite');
let zoo: Connection;

beforeAll(() => {
  makeZoo(file);
  zoo = betterSqlite3.open(file);
});
afterAll(() => {
  zoo.close();
  folder.remove();
});

test('integers are exact and apart from reals, in both directions', () => {
  expect(zoo.prepare('SELECT 1, 1.0, 9223372036854775807, typeof(:n), :n').all({ n: 2n ** 60n })).toEqual([
    [1n, 1, 9223372036854775807n, 'integer', 2n ** 60n],
  ]);
  expect(zoo.prepare('SELECT typeof(:n)').all({ n: 2 })).toEqual([['real']]);
});

test('broken UTF-8 reads as replacement characters, NUL and blobs as they are', () => {
  expect(zoo.prepare('SELECT name FROM animal WHERE id = 3').all()).toEqual([['c\uFFFD']]);
  expect(zoo.prepare('SELECT note FROM animal WHERE id = 4').all()).toEqual([['a\0b']]);
  expect(zoo.prepare('SELECT photo FROM animal WHERE id = 1').all()).toEqual([[Buffer.from([0, 255, 16])]]);
});

test('rows come one at a time and can be left early', () => {
  const seen: unknown[] = [];
  zoo.prepare('SELECT id FROM animal ORDER BY id').each({}, ([id]) => seen.push(id) < 2);
  expect(seen).toEqual([1n, 2n]);
  const again: unknown[] = [];
  zoo.prepare('SELECT id FROM animal ORDER BY id').eachFirst({}, (id) => again.push(id) > 0);
  expect(again).toEqual([1n, 2n, 3n, 4n, 5n]);
});

test('the same text is the same statement; open-ended texts are kept for a while', () => {
  expect(zoo.prepare('SELECT 1')).toBe(zoo.prepare('SELECT 1'));
  const first = zoo.prepareAdHoc('SELECT 2');
  expect(zoo.prepareAdHoc('SELECT 2')).toBe(first);
  for (let i = 0; i < 600; i++) zoo.prepareAdHoc(`SELECT 3, ${i}`);
  expect(zoo.prepareAdHoc('SELECT 2').all()).toEqual([[2n]]);
});

test.each([
  'DELETE FROM animal',
  'CREATE TABLE x(a)',
  "ATTACH DATABASE '/tmp/x' AS x",
  'PRAGMA query_only = off',
  'COMMIT',
])('%s is refused or changes nothing', (sql) => {
  const rows = () => zoo.prepare('SELECT count(*) FROM animal').all();
  expect(() => zoo.prepare(sql).all()).toThrow();
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
      copyFileSync(file, path);
      truncateSync(path, 4096);
      return path;
    },
  ],
])('a file that is %s is a SqliteError at open or first use', (name, code, make) => {
  const path = make(join(folder.path, name.replaceAll(' ', '-')));
  let error: unknown;
  try {
    betterSqlite3.open(path).prepare('SELECT * FROM animal').all();
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toMatchObject({ name: 'SqliteError', code });
});

test('a statement that doubles a text without end fails before it has taken the memory of the machine', () => {
  const doubling =
    "WITH RECURSIVE r(n, s) AS (SELECT 1, 'abcdefgh' UNION ALL SELECT n + 1, s || s FROM r WHERE n < 40) SELECT max(length(s)) FROM r";
  const before = process.memoryUsage().rss;
  expect(() => zoo.prepareAdHoc(doubling).all()).toThrow(/too big|out of memory/);
  expect(process.memoryUsage().rss - before).toBeLessThan(heapLimit());
  expect(zoo.prepareAdHoc('SELECT 1').all()).toEqual([[1n]]);
  const MiB = 1024 * 1024;
  expect([0, 256 * MiB, 64 * 1024 * MiB].map((bytes) => heapLimit(bytes) / MiB)).toEqual([512, 128, 512]);
});
