import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { requote } from './requote.ts';

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
