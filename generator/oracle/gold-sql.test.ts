import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { pinDefinition, pinSchema, pinTime, requote } from './gold-sql.ts';

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

test.each([
  ['CREATE TABLE t (a TEXT DEFAULT CURRENT_DATE, b)', "CREATE TABLE t (a TEXT DEFAULT '2024-03-05', b)"],
  [
    "CREATE TABLE t (a DEFAULT (strftime('%s', 'now')), b DEFAULT 'now')",
    "CREATE TABLE t (a DEFAULT (strftime('%s', '2024-03-05 06:07:08')), b DEFAULT 'now')",
  ],
  ['CREATE TABLE t (a DEFAULT (date()))', "CREATE TABLE t (a DEFAULT (date('2024-03-05 06:07:08')))"],
  ['CREATE TABLE t (current_date TEXT, b REFERENCES u ON DELETE SET DEFAULT)', null],
  ['CREATE TABLE "trigger" ("default" TEXT, "begin" TEXT DEFAULT \'CURRENT_TIME\')', null],
])('the clock in a table: %s', (sql, pinned) => {
  expect(pinDefinition('table', sql, REFERENCE)).toBe(pinned ?? sql);
});

test('rows that defaults and triggers make have the reference time', () => {
  const db = new Database(':memory:');
  db.exec(`CREATE TABLE bill (id INTEGER PRIMARY KEY, paid INTEGER DEFAULT 0, made TEXT DEFAULT (datetime('now')), changed TEXT);
    CREATE TABLE log (id INTEGER PRIMARY KEY, at TEXT DEFAULT CURRENT_TIMESTAMP, day TEXT, what TEXT);
    CREATE TRIGGER paid AFTER UPDATE OF paid ON bill BEGIN
      UPDATE bill SET changed = datetime('now', '+1 day') WHERE id = NEW.id;
      INSERT INTO log (day, what) VALUES (CURRENT_DATE, 'paid now');
    END;`);
  pinSchema(db, REFERENCE);
  db.exec('INSERT INTO bill (id) VALUES (1); UPDATE bill SET paid = 1');
  expect(db.prepare('SELECT made, changed FROM bill').get()).toEqual({
    made: REFERENCE,
    changed: '2024-03-06 06:07:08',
  });
  expect(db.prepare('SELECT at, day, what FROM log').get()).toEqual({
    at: REFERENCE,
    day: '2024-03-05',
    what: 'paid now',
  });
  expect(() => db.exec("UPDATE sqlite_schema SET sql = ''")).toThrow();
  db.close();
});
