import Database from 'better-sqlite3';
import { afterAll, expect, test } from 'vitest';
import { readStored } from './engines.ts';

const db = new Database(':memory:');
afterAll(() => db.close());
db.exec(
  'CREATE TABLE n AS WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 100) SELECT i FROM n',
);

const visiting = (sql: string, maxVisits: number) => readStored(db, sql, maxVisits);

test('rows are read until the limit of visits, and none beyond it', () => {
  const sql = 'SELECT i FROM n WHERE rookery_visited(rowid) AND i > 99';
  expect(visiting(sql, 100)).toEqual([[100n]]);
  expect(visiting(sql, 99)).toBeNull();
});

test('each query starts with no visits counted', () => {
  const sql = 'SELECT count(*) FROM n WHERE rookery_visited(rowid)';
  expect([visiting(sql, 100), visiting(sql, 100)]).toEqual([[[100n]], [[100n]]]);
});

test('values arrive as SQLite stores them', () => {
  expect(visiting("SELECT 1, 1.0, 'a', x'00', NULL", 0)).toEqual([[1n, 1, 'a', Buffer.from([0]), null]]);
});

test('a query that SQLite refuses gives null', () => {
  expect(visiting('SELECT missing FROM n', 10)).toBeNull();
  expect(visiting('SELECT abs(-9223372036854775808)', 10)).toBeNull();
});
