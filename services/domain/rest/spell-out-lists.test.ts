import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { listSql } from '../../../contracts/list-sql.ts';
import { type BoundParameters, spellOutLists } from './spell-out-lists.ts';

const db = new Database(':memory:');
db.exec(`CREATE TABLE part (id INTEGER PRIMARY KEY, code TEXT, weight REAL);
  WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
    INSERT INTO part SELECT i, 'c' || (i % 50), i / 4.0 FROM n;
  CREATE INDEX part_code ON part (code);`);

const SQL = `SELECT id FROM part WHERE code IN (${listSql('codes')}) AND weight NOT IN (${listSql('weights')}) AND id > :least`;

function bound(codes: string[], weights: number[]): BoundParameters {
  const written = weights.map((each) => (Number.isInteger(each) ? `${each}.0` : String(each)));
  return {
    values: { codes: JSON.stringify(codes), weights: `[${written.join()}]`, least: 5n },
    lists: { codes, weights },
  };
}

const codes = (count: number) => Array.from({ length: count }, (_, i) => `c${i}`);

test.each([1, 2, 8, 9, 31, 500, 513])('a list of %i values gives the rows that it gives as JSON', (count) => {
  const given = bound(codes(count), [2, 2.5]);
  const { sql, parameters } = spellOutLists(SQL, given);
  expect(db.prepare(sql).all(parameters)).toEqual(db.prepare(SQL).all(given.values));
});

test('lists of many lengths share a few statements', () => {
  const statements = new Set(
    Array.from({ length: 600 }, (_, i) => spellOutLists(SQL, bound(codes(i + 1), [1])).sql),
  );
  expect(statements.size).toBe(8 + 6 + 1);
});

test('SQLite plans a list of two values as it plans two literals', () => {
  const { sql, parameters } = spellOutLists(SQL, bound(['c1', 'c2'], [2]));
  const planOf = (text: string, values: Record<string, unknown>) =>
    db
      .prepare(`EXPLAIN QUERY PLAN ${text}`)
      .all(values)
      .map((step) => (step as { detail: string }).detail);
  expect(planOf(sql, parameters)).toEqual(
    planOf("SELECT id FROM part WHERE code IN ('c1', 'c2') AND weight NOT IN (2.0) AND id > 5", {}),
  );
});
