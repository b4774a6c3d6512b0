import { expect, test } from 'vitest';
import type { Catalog } from '../../contracts/catalog.ts';
import type { Endpoint } from '../../contracts/service.ts';
import { smallDatabase } from '../../services/testing/tool-bench.ts';
import { endpoint, parameter } from '../../services/testing/zoo.ts';
import { parseQuery } from '../../sql/index.ts';
import { readCatalog } from '../read/catalog.ts';
import { endpointsOfSameRows, findContradictions, holds, questionFacts } from './silent-faults.ts';

const findContradictionsEndpoint: Endpoint = {
  name: 'e',
  operation_id: 'get_e',
  path: '/v1/s/d/e',
  summary: '',
  description: '',
  sql: '',
  parameters: [],
  columns: [
    { name: 'n', type: 'integer', nullable: false, description: '' },
    { name: 't', type: 'string', nullable: true, description: '' },
  ],
  speed: 'quick',
};
const answer = (data: object[], row_count = data.length) => ({ data, row_count, truncated: false });
const column = (values: unknown[], row_count = values.length) => ({
  kind: 'column',
  handle: 'h',
  column: 'n',
  values,
  row_count,
  truncated: false,
  next_offset: null,
});
const table = {
  kind: 'table',
  handle: 'f',
  columns: ['n'],
  row_count: 3,
  preview: [{ n: 1 }, { n: 2 }],
} as const;

test('an endpoint’s answer contradicts its count, or its specification', () => {
  const rows = [{ n: 1, t: null }];
  expect(findContradictions(answer(rows), { endpoint: findContradictionsEndpoint })).toEqual([]);
  expect(findContradictions(answer(rows, 2), { endpoint: findContradictionsEndpoint })).toEqual([
    'row_count',
  ]);
  expect(findContradictions(answer([{ n: 1.5, t: 'a' }]), { endpoint: findContradictionsEndpoint })).toEqual([
    'schema',
  ]);
  expect(findContradictions(answer([{ n: null, t: 'a' }]), { endpoint: findContradictionsEndpoint })).toEqual(
    ['schema'],
  );
  expect(
    findContradictions(answer([{ n: 2n ** 60n, t: 'a' }]), { endpoint: findContradictionsEndpoint }),
  ).toEqual([]);
});

test('a column contradicts its count, or the table that it was read from', () => {
  const beside = { table: { ...table, columns: [...table.columns], preview: [...table.preview] } };
  expect(findContradictions(column([1, 2, 9]), beside)).toEqual([]);
  expect(findContradictions(column([1, 2, 9], 4), beside)).toEqual(['row_count']);
  expect(findContradictions(column([1, 2]), beside)).toEqual(['earlier_answer']);
  expect(findContradictions(column([1, 3, 9]), beside)).toEqual(['earlier_answer']);
  expect(findContradictions(column([1, 3]), {})).toEqual([]);
});

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

const TAIL = 'FROM "a" AS "T1" WHERE "T1"."x" > :x';
const parameters = [parameter('x', 'integer')];
const names = endpoint('names', `SELECT "T1"."n" AS "n", "T1"."m" AS "m" ${TAIL}`, ['n', 'm'], {
  parameters,
});
const of = (name: string, sql: string, columns: string[] = ['v'], more = { parameters }) =>
  endpoint(name, sql, columns, more);

test('endpoints with the same FROM and WHERE read the same rows; those with common columns come first', () => {
  const counting = of('how_many', `SELECT count(*) AS "v" ${TAIL}`);
  const other = of('others', `SELECT "T1"."o" AS "v", "T1"."n" AS "who" ${TAIL} ORDER BY "T1"."o"`, [
    'v',
    'who',
  ]);
  expect(endpointsOfSameRows(names, [names, counting, other])).toEqual([
    { endpoint: other, tells: 'rows', columns: [{ own: 'n', other: 'who' }] },
    { endpoint: counting, tells: 'count', columns: [] },
  ]);
});

test.each([
  ['other rows', 'SELECT "T1"."n" AS "v" FROM "a" AS "T1" WHERE "T1"."x" < :x'],
  ['a limit', `SELECT "T1"."n" AS "v" ${TAIL} LIMIT 1`],
  ['groups', `SELECT "T1"."n" AS "v" ${TAIL} GROUP BY "T1"."n"`],
  ['each value once', `SELECT DISTINCT "T1"."n" AS "v" ${TAIL}`],
  ['how many there are of each value', `SELECT count(DISTINCT "T1"."n") AS "v" ${TAIL}`],
  ['a total', `SELECT sum("T1"."n") AS "v" ${TAIL}`],
  ['a union', `SELECT "T1"."n" AS "v" ${TAIL} UNION SELECT 1`],
])('one with %s does not', (_, sql) => {
  expect(endpointsOfSameRows(names, [names, of('another', sql)])).toEqual([]);
});

test('nor one that wants an argument more', () => {
  const more = { parameters: [...parameters, parameter('y', 'integer')] };
  expect(endpointsOfSameRows(names, [of('more', `SELECT :y AS "v" ${TAIL}`, ['v'], more)])).toEqual([]);
});
