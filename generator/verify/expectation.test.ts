import Database from 'better-sqlite3';
import { afterAll, describe, expect, test } from 'vitest';
import { parseQuery } from '../../sql/index.ts';
import { smallDatabase } from '../../tests/support/small-database.ts';
import { Oracle } from '../oracle/oracle.ts';
import { readCatalog } from '../read/catalog.ts';
import { expectAnswer, isExpected, isExpectedUpToTies } from './expectation.ts';

const referenceTime = '2025-06-15 12:30:00';
const file = smallDatabase();
const catalog = readCatalog('shop', new Database(file, { readonly: true }));
const oracle = new Oracle({ referenceTime, children: 1 });
afterAll(() => oracle.close());

const answerOf = (sql: string) =>
  expectAnswer(sql, parseQuery(sql, { catalog, referenceTime }), file, { oracle, catalog });

describe('rows tied on the sort keys', () => {
  test.each([
    ['by what is returned', 'SELECT id, born FROM customer WHERE id IN (1, 2, 7) ORDER BY born', [0, 0, 1]],
    ['by what is not', 'SELECT id FROM customer WHERE id IN (1, 2, 7) ORDER BY born', [0, 0, 1]],
    [
      'distinct, by what is computed from it',
      "SELECT DISTINCT born FROM customer WHERE id < 6 ORDER BY substr(born, 1, 2) = '19'",
      [0, 1, 1, 1, 1],
    ],
    [
      'distinct, by what its key gives',
      'SELECT DISTINCT id FROM customer WHERE id IN (1, 2, 7) ORDER BY born',
      [0, 0, 1],
    ],
    [
      'distinct, by what does not follow: none, for SQLite may take it from any row',
      'SELECT DISTINCT born FROM customer WHERE id IN (1, 2, 7) ORDER BY city',
      [0, 1],
    ],
    [
      'distinct, by what is the same in all rows like it',
      "SELECT DISTINCT city FROM customer WHERE id IN (1, 3, 7) ORDER BY born > ''",
      [0, 0],
    ],
    [
      'distinct among groups, by how many there are',
      'SELECT DISTINCT city FROM customer WHERE id IN (1, 3, 7) GROUP BY id ORDER BY count(*)',
      [0, 0],
    ],
    ['not at all', 'SELECT id FROM customer WHERE id < 3', null],
  ])('%s', async (_, sql, groups) => {
    expect((await answerOf(sql)).orderGroups).toEqual(groups);
  });

  test('may swap, those of other keys may not', async () => {
    const expected = await answerOf('SELECT id FROM customer WHERE id IN (1, 2, 7) ORDER BY born');
    const [first, second, third] = expected.rows.map(([id]) => id);
    expect(isExpected(expected, [[second ?? 0], [first ?? 0], [third ?? 0]])).toBe(true);
    expect(isExpected(expected, [[first ?? 0], [third ?? 0], [second ?? 0]])).toBe(false);
  });
});

describe('LIMIT through ties', () => {
  test.each([
    ['SELECT id FROM customer ORDER BY born LIMIT 1', false],
    ["SELECT id FROM customer WHERE born > '1' ORDER BY born LIMIT 1", true],
    ["SELECT id FROM customer WHERE born > '1' ORDER BY born LIMIT 2", false],
    ["SELECT DISTINCT id FROM customer WHERE born > '1' ORDER BY born LIMIT 1", true],
    ["SELECT DISTINCT city FROM customer WHERE born > '1' ORDER BY born LIMIT 1", true],
    ["SELECT DISTINCT city FROM customer WHERE born > '1' ORDER BY born LIMIT 2", false],
  ])('%s: %s', async (sql, cuts) => {
    expect(await (await answerOf(sql)).cutsTie()).toBe(cuts);
  });

  test('lets any of them through', async () => {
    const expected = await answerOf(
      "SELECT DISTINCT city FROM customer WHERE born > '1' ORDER BY born LIMIT 1",
    );
    for (const city of ['London', 'Paris']) expect(await isExpectedUpToTies(expected, [[city]])).toBe(true);
    expect(await isExpectedUpToTies(expected, [['Rotterdam']])).toBe(false);
  });
});
