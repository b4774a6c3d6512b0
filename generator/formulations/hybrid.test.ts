import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import type { PlanStep } from '../../contracts/hybrid.ts';
import { parseQuery, printQuery } from '../../sql/index.ts';
import { readCatalog } from '../read/catalog.ts';
import { planOf, withoutRowIds } from './hybrid.ts';

const step: PlanStep = {
  api: 'scalars/get_country_of_place',
  alias: null,
  by: 'inputs',
  calls: 1,
  pages: 1,
  keys: 2,
  rows: 2,
};
const answer = (plan: readonly PlanStep[]) => ({
  columns: ['name'],
  data: [],
  row_count: 0,
  truncated: false,
  executor: 'http',
  class: 'db_only',
  hidden: [],
  plan,
  calls: 1,
  rows_moved: 2,
});
const share = { share: 40, seed: 0 };

test('a plan that asked for a place of several with its name says so', () => {
  expect(planOf(answer([step]), share)).toEqual({
    plan: { ...share, class: 'db_only', calls: 1, pages: 1, rows_moved: 2 },
    choosesPlaces: false,
  });
  expect(planOf(answer([step, { ...step, ambiguous: 1 }]), share).choosesPlaces).toBe(true);
});

const db = new Database(':memory:');
db.exec(`CREATE TABLE a (id INTEGER PRIMARY KEY, x TEXT); CREATE TABLE b (id INT PRIMARY KEY, x TEXT);
  CREATE TABLE c (rowid TEXT, x TEXT);`);
const catalog = readCatalog('x', db);
const context = { catalog, referenceTime: '2024-01-01 00:00:00' };
const all = new Set(['a', 'b', 'c']);

test.each([
  ['SELECT x FROM a ORDER BY rowid', all, 'ORDER BY "T1"."id"'],
  [
    'SELECT x FROM a WHERE EXISTS (SELECT 1 FROM a AS o WHERE o.rowid > a.rowid)',
    all,
    '"T2"."id" > "T1"."id"',
  ],
  // The key of b is not its row id, and nothing else says it.
  ['SELECT x FROM b ORDER BY rowid', all, null],
  ['SELECT x FROM b ORDER BY rowid', new Set(['a']), 'ORDER BY "T1"."rowid"'],
  ['SELECT x FROM c ORDER BY rowid', all, 'ORDER BY "T1"."rowid"'],
  ['SELECT x FROM b ORDER BY x', all, 'ORDER BY "T1"."x"'],
] as const)('%s', (sql, hidden, expected) => {
  const told = withoutRowIds(parseQuery(sql, context), catalog, hidden);
  if (expected === null) expect(told).toBeNull();
  else expect(told && printQuery(told)).toContain(expected);
});
