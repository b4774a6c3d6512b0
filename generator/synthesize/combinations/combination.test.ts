import { expect, test } from 'vitest';
import { COMBINATIONS, combinationOf, complexityOf } from './combination.ts';

test('there are 63 combinations, in the order of the published data', () => {
  expect(COMBINATIONS).toHaveLength(63);
  const codes = COMBINATIONS.map(({ code }) => code);
  expect(new Set(codes).size).toBe(63);
  const letters = ['i', 't', 'b', '-'];
  codes.forEach((code, i) => {
    const [filter, aggregation] = [letters[Math.floor((i % 32) / 8)], letters[Math.floor((i % 8) / 2)]];
    expect(code).toBe(`${Number(i < 32)}${filter}${aggregation}${Number(i % 2 === 0)}`);
  });
});

test('8 are simple, 22 moderate and 33 complex', () => {
  const count = (complexity: string) =>
    COMBINATIONS.filter((each) => complexityOf(each) === complexity).length;
  expect([count('simple'), count('moderate'), count('complex')]).toEqual([8, 22, 33]);
});

test('half of them search and group, and a quarter have each type of filter and of aggregation', () => {
  const count = (has: (each: (typeof COMBINATIONS)[number]) => boolean) => COMBINATIONS.filter(has).length;
  expect([count(({ search }) => search), count(({ group }) => group)]).toEqual([32, 32]);
  for (const type of ['integer', 'text', 'boolean']) {
    expect([
      count(({ filter }) => filter === type),
      count(({ aggregation }) => aggregation === type),
    ]).toEqual([16, 16]);
  }
});

test('the combination of a call is read from its arguments', () => {
  expect(
    combinationOf({
      collection_name: 'inn',
      search_query: 'quiet',
      text_property_filter: { property_name: 'town', operator: '=', value: 'Bonn' },
      integer_property_aggregation: { property_name: 'beds', metrics: 'SUM' },
    }).code,
  ).toBe('1ti0');
});
