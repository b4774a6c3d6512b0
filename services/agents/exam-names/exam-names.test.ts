import { expect, test } from 'vitest';
import { ExamAliases, examToolName, subjectOf } from './exam-names.ts';

const names = new ExamAliases('a key');
const task = { split: 'toys', db: 'shop', question_id: 7 };

test('aliases say their kind and nothing else, and differ for whatever differs', () => {
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

test('the key decides, and nothing besides the id: neither machine nor time', () => {
  expect(new ExamAliases('a key').domain(task)).toBe(names.domain(task));
  expect(new ExamAliases('another key').domain(task)).not.toBe(names.domain(task));
});

test('the same text as two parts is another id than as one', () => {
  expect(names.domain({ split: 'a', db: 'b/c' })).not.toBe(names.domain({ split: 'a/b', db: 'c' }));
});

test('a subject is the tables, of which the first five are named', () => {
  const catalog = (...tables: string[]) => ({
    catalog: { tables: tables.map((name) => ({ name, friendly_name: null })) } as never,
  });
  expect(subjectOf(catalog('order_line', 'shop'))).toBe('Data on order line, shop');
  expect(subjectOf(catalog('a', 'b', 'c', 'd', 'e', 'f', 'g'))).toBe('Data on a, b, c, d, e and 2 more');
});

test('a tool keeps its name unless that holds more than the endpoint does', () => {
  expect(examToolName({ name: 'pets', operation_id: 'get_pets' })).toBe('get_pets');
  expect(examToolName({ name: 'pets', operation_id: 'get_pets_v1_toys_shop_pets_get' })).toBe('pets');
});
