import { expect, test } from 'vitest';
import { HttpProblem } from '../base/http/problem.ts';
import { ExamAliases, examToolName, hideSplit, subjectOf } from './aliases.ts';

const names = new ExamAliases('a key');
const task = { split: 'toys', db: 'shop', question_id: 7 };

test('aliases reveal their kind and nothing else, and differ for different names', () => {
  const aliases = [
    names.split('toys'),
    names.domain(task),
    names.domain({ ...task, split: 'other' }),
    names.sample('toys/shop/7/rest'),
    names.sample('toys/shop/7/slot'),
    names.question(task),
    names.question({ ...task, question_id: 8 }),
  ];
  for (const alias of aliases) expect(alias).toMatch(/^[sdtq][0-9a-f]{12}$/);
  expect(new Set(aliases).size).toBe(aliases.length);
});

test('aliases depend on the key and the id only: neither machine nor time', () => {
  expect(new ExamAliases('a key').domain(task)).toBe(names.domain(task));
  expect(new ExamAliases('another key').domain(task)).not.toBe(names.domain(task));
});

test('the same text divided elsewhere has another alias', () => {
  expect(names.domain({ split: 'a', db: 'b/c' })).not.toBe(names.domain({ split: 'a/b', db: 'c' }));
});

test('a subject counts its tables and names the first five', () => {
  const catalog = (...tables: string[]) => ({
    catalog: { tables: tables.map((name) => ({ name, friendly_name: null })) } as never,
  });
  expect(subjectOf(catalog('order_line', 'shop'))).toBe('Data on order line, shop');
  expect(subjectOf(catalog('a', 'b', 'c', 'd', 'e', 'f', 'g'))).toBe('Data on a, b, c, d, e and 2 more');
});

test('a tool keeps its name unless the name contains more than the endpoint has', () => {
  expect(examToolName({ name: 'pets', operation_id: 'get_pets' })).toBe('get_pets');
  expect(examToolName({ name: 'pets', operation_id: 'get_pets_v1_toys_shop_pets_get' })).toBe('pets');
});

const shop = { split: 'toys-2', db: 'toy_shop (1)' };
const told = (problem: HttpProblem) => hideSplit(problem.toProblem(), shop, 'd0');

test('a service problem names neither its domain nor the split', () => {
  const gone = new HttpProblem(
    'DOMAIN_UNAVAILABLE',
    'The service of toy_shop (1) cannot be reached; try again.',
  );
  expect(told(gone).detail).toBe('The service cannot be reached; try again.');
  const unready = new HttpProblem('NOT_READY', 'toys-2/toy_shop (1) is not ready, nor is toy_shop (1)', {
    errors: [{ field: 'toy_shop (1)', code: 'x', message: 'of toys-2', suggestions: ['toys-2'] }],
  });
  expect(told(unready)).toMatchObject({
    detail: 'd0 is not ready, nor is d0',
    errors: [{ field: 'd0', message: 'of d0', suggestions: ['d0'] }],
  });
});

test('a longer word that contains the name is a different word', () => {
  expect(told(new HttpProblem('NOT_READY', 'toys-23 and my-toys-2')).detail).toBe('toys-23 and my-toys-2');
});

test('texts about a call’s arguments stay: there a name is an ordinary word', () => {
  const problem = new HttpProblem('INVALID_PARAMETERS', 'toys-2 is no number');
  expect(told(problem)).toEqual(problem.toProblem());
});

test('an unknown domain is reported without suggesting others', () => {
  const problem = new HttpProblem('UNKNOWN_DOMAIN', 'There is no domain x; did you mean toys-2/other?');
  expect(JSON.stringify(told(problem))).not.toMatch(/toys|other/);
});
