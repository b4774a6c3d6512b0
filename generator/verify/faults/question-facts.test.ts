import { expect, test } from 'vitest';
import type { Catalog } from '../../../contracts/catalog.ts';
import { smallDatabase } from '../../../services/testing/tools/small-database.ts';
import { parseQuery } from '../../../sql/index.ts';
import { readCatalog } from '../../read/catalog/read-catalog.ts';
import { holds } from './holds.ts';
import { questionFacts } from './question-facts.ts';

const db = smallDatabase();
const catalog: Catalog = readCatalog('small', db);
db.close();

const facts = (question: string, sql: string, columns: (string | null)[] = ['name', 'age']) =>
  questionFacts(
    parseQuery(sql, { catalog, referenceTime: '2024-01-01 00:00:00' }),
    { question, evidence: '' },
    columns,
  );

test('a value of the question that bounds a result column is a fact', () => {
  expect(facts('Who is older than 30?', 'SELECT name, age FROM person WHERE age > 30')).toEqual([
    { kind: 'bound', column: 'age', op: '>', value: 30 },
  ]);
  expect(
    facts('Who is between 30 and 1,000?', 'SELECT name, age FROM person WHERE age BETWEEN 30 AND 1000'),
  ).toEqual([
    { kind: 'bound', column: 'age', op: '>=', value: 30 },
    { kind: 'bound', column: 'age', op: '<=', value: 1000 },
  ]);
  expect(facts('How old is Ann?', "SELECT name, age FROM person WHERE 'Ann' = name")).toEqual([
    { kind: 'bound', column: 'name', op: '=', value: 'Ann' },
  ]);
});

test('one that the question does not say, or that bounds no result, is none', () => {
  expect(facts('Who is grown up?', 'SELECT name, age FROM person WHERE age > 30')).toEqual([]);
  expect(facts('Who is older than 3.5 or 130?', 'SELECT name, age FROM person WHERE age > 30')).toEqual([]);
  expect(facts('Who is older than 30?', 'SELECT name FROM person WHERE age > 30', ['name'])).toEqual([]);
  expect(facts('Is it 30 or 40?', 'SELECT name, age FROM person WHERE age > 30 OR age = 40')).toEqual([]);
});

test('a number of rows, a superlative, and rows that are different are facts where the question says so', () => {
  const top = 'SELECT name, age FROM person ORDER BY age DESC LIMIT';
  expect(facts('Who are the three oldest?', `${top} 3`)).toEqual([{ kind: 'at_most', rows: 3 }]);
  expect(facts('Who is the oldest?', `${top} 1`)).toEqual([{ kind: 'at_most', rows: 1 }]);
  expect(facts('Who are the oldest?', `${top} 3`)).toEqual([]);
  const ages = 'SELECT DISTINCT age FROM person';
  expect(facts('Which different ages are there?', ages, [null])).toEqual([{ kind: 'distinct' }]);
  expect(facts('Which ages are there?', ages, [null])).toEqual([]);
});

test('facts are held against rows', () => {
  const rows = [{ n: 1 }, { n: 1 }];
  expect(holds({ kind: 'at_most', rows: 1 }, rows)).toBe(false);
  expect(holds({ kind: 'distinct' }, rows)).toBe(false);
  expect(holds({ kind: 'bound', column: 'n', op: '>=', value: 1 }, rows)).toBe(true);
  expect(holds({ kind: 'bound', column: 'n', op: '=', value: 1 }, [{ n: 1n }])).toBe(true);
  for (const n of [null, '1', 0.001]) {
    expect(holds({ kind: 'bound', column: 'n', op: '>=', value: 1 }, [{ n }])).toBe(false);
  }
});
