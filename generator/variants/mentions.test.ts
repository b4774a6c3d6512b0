import { expect, test } from 'vitest';
import { nudgeJson, nudgeWithin, setInJson } from './changes.ts';
import { asDateLike, contentOf, fits, nextDay } from './mentions.ts';
import { Random } from './random.ts';

test.each([
  [['{"v":1}', '[1, 2]', null], 'json'],
  [['{"v":1}', 'none'], null],
  [['2024-02-29', '2024-01-01 10:00:00', null], 'date'],
  [['2024-02-30'], null],
  [[20240229n, 19991231n], 'date_number'],
  [['20240229', '20240101'], 'date_number'],
  [[20240229n, 7n], null],
  [[null], null],
])('%s holds %s', (values, content) => {
  expect(contentOf(values)).toBe(content);
});

test('the days around one are days, at the same time of day', () => {
  expect(nextDay('2024-02-28', true)).toBe('2024-02-29');
  expect(nextDay('2024-01-01 23:59:00', false)).toBe('2023-12-31 23:59:00');
  expect(nextDay(20231231n, true)).toBe(20240101n);
});

test('a year or a month that a condition names becomes a day of it', () => {
  expect(asDateLike('2021', '2024-03-15 08:00:00')).toBe('2021-03-15 08:00:00');
  expect(asDateLike('2021-02', '2024-03-31')).toBe('2021-02-28');
  expect(asDateLike(2021n, 20240315n)).toBe(20210315n);
  expect(asDateLike('%Y', '2024-03-15')).toBeNull();
});

test('a nudged JSON text is another JSON text of the same shape', () => {
  const random = new Random('x');
  const text = '{"v":1.5,"on":true,"tags":["a",null],"deep":{"n":3}}';
  for (let i = 0; i < 50; i++) {
    const other = nudgeJson(text, random);
    const paths = (json: string) => Object.keys(JSON.parse(json) as object).join();
    expect(fits(other, 'json') && paths(other) === paths(text)).toBe(true);
  }
  expect(nudgeJson('{}', random)).toBe('{}');
});

test('a value is put where a path leads, and nowhere else', () => {
  expect(setInJson('{"a":{"b":[1,2]}}', '$.a.b[1]', 7n)).toBe('{"a":{"b":[1,7]}}');
  expect(setInJson('{"a":1}', '$."b c"', 'x')).toBe('{"a":1,"b c":"x"}');
  expect(setInJson('{"a":1}', '$.b.c', 'x')).toBeNull();
  expect(setInJson('{"a":1}', '$', 'x')).toBeNull();
});

test('nudged values still fit their column', () => {
  const random = new Random('y');
  for (const [value, content] of [
    ['{"a":[1,"x"]}', 'json'],
    ['2024-12-31', 'date'],
    [20240131n, 'date_number'],
  ] as const) {
    for (let i = 0; i < 20; i++) expect(fits(nudgeWithin(value, content, random), content)).toBe(true);
  }
});
