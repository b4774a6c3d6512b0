import { expect, test } from 'vitest';
import { pinTime } from './pin-time.ts';

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
