import { expect, test } from 'vitest';
import { endpoint, parameter } from '../../../services/testing/zoo.ts';
import { endpointsOfSameRows } from './same-rows.ts';

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
