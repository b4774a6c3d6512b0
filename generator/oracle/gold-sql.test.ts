import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { pinTime, requote } from './gold-sql.ts';

const REFERENCE = '2024-03-05 06:07:08';
const pin = (sql: string) => pinTime(sql, REFERENCE).sql;

test.each([
  ["SELECT date('now')", "SELECT date('2024-03-05 06:07:08')"],
  [
    "SELECT strftime('%Y', 'NOW') - strftime( '%Y', dob)",
    "SELECT strftime('%Y', '2024-03-05 06:07:08') - strftime( '%Y', dob)",
  ],
  ['SELECT strftime("%Y", "now")', 'SELECT strftime("%Y", \'2024-03-05 06:07:08\')'],
  ["SELECT strftime('%Y')", "SELECT strftime('%Y', '2024-03-05 06:07:08')"],
  ['SELECT date(), unixepoch ( )', "SELECT date('2024-03-05 06:07:08'), unixepoch ( '2024-03-05 06:07:08')"],
  ["SELECT date(coalesce(d, 'now'), '-1 day')", "SELECT date(coalesce(d, '2024-03-05 06:07:08'), '-1 day')"],
  [
    'SELECT CURRENT_TIMESTAMP - t, current_date, CURRENT_TIME',
    "SELECT '2024-03-05 06:07:08' - t, '2024-03-05', '06:07:08'",
  ],
])('%s', (sql, pinned) => {
  expect(pinTime(sql, REFERENCE)).toEqual({ sql: pinned, pinned: true });
});

test.each([
  "SELECT 'now'",
  "SELECT * FROM t WHERE word = 'now' AND date(d) = '2020-01-01'",
  "SELECT date((SELECT max(d) FROM t WHERE word = 'now'))",
  'SELECT t.current_date, 1 AS current_time, "current_date" FROM t',
  "SELECT 'date(''now'')' -- date('now')",
  'SELECT strftime()',
  'SELECT date FROM t WHERE (date) IN (1)',
])('%s stays as it is', (sql) => {
  expect(pinTime(sql, REFERENCE)).toEqual({ sql, pinned: false });
});

test('offsets hold in text that is not ASCII', () => {
  expect(pin("SELECT '😀é', date('now')")).toBe("SELECT '😀é', date('2024-03-05 06:07:08')");
});

const db = new Database(':memory:');
db.exec('CREATE TABLE person (name TEXT, "home town" TEXT); CREATE TABLE town (name TEXT, mayor TEXT)');
const tryPrepare = (sql: string) => {
  try {
    db.prepare(sql);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
};

test.each([
  [
    'SELECT "name" FROM person WHERE "home town" = "Oslo"',
    `SELECT "name" FROM person WHERE "home town" = 'Oslo'`,
  ],
  [
    'SELECT name AS "n" FROM person WHERE name IN ("a", "b\'c", "d""e")',
    `SELECT name AS "n" FROM person WHERE name IN ('a', 'b''c', 'd"e')`,
  ],
  [
    'SELECT name FROM person WHERE name = "mayor" AND EXISTS (SELECT "mayor" FROM town WHERE "mayor" = "x")',
    `SELECT name FROM person WHERE name = 'mayor' AND EXISTS (SELECT "mayor" FROM town WHERE "mayor" = 'x')`,
  ],
  ['SELECT "x" FROM person GROUP BY "x" ORDER BY "x"', `SELECT 'x' FROM person GROUP BY 'x' ORDER BY 'x'`],
  ['SELECT p."nope", "x" FROM person p', 'SELECT p."nope", "x" FROM person p'],
  [
    'SELECT name FROM person WHERE name = "a" AND name = "t" UNION SELECT name FROM person WHERE name = "b" AND name = "t"',
    `SELECT name FROM person WHERE name = 'a' AND name = 't' UNION SELECT name FROM person WHERE name = 'b' AND name = 't'`,
  ],
  ['SELECT name FROM "person"', 'SELECT name FROM "person"'],
])('%s', (sql, expected) => {
  expect(requote(sql, tryPrepare)).toBe(expected);
});
