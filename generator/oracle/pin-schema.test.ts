import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { pinDefinition, pinSchema } from './pin-schema.ts';

const REFERENCE = '2025-01-01 00:00:00';

test.each([
  ['CREATE TABLE t (a TEXT DEFAULT CURRENT_DATE, b)', "CREATE TABLE t (a TEXT DEFAULT '2025-01-01', b)"],
  [
    "CREATE TABLE t (a DEFAULT (strftime('%s', 'now')), b DEFAULT 'now')",
    "CREATE TABLE t (a DEFAULT (strftime('%s', '2025-01-01 00:00:00')), b DEFAULT 'now')",
  ],
  ['CREATE TABLE t (a DEFAULT (date()))', "CREATE TABLE t (a DEFAULT (date('2025-01-01 00:00:00')))"],
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
    changed: '2025-01-02 00:00:00',
  });
  expect(db.prepare('SELECT at, day, what FROM log').get()).toEqual({
    at: REFERENCE,
    day: '2025-01-01',
    what: 'paid now',
  });
  expect(() => db.exec("UPDATE sqlite_schema SET sql = ''")).toThrow();
  db.close();
});
