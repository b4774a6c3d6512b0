import { expect, test } from 'vitest';
import { indented } from './farm.ts';

test('a JSON text is shown with a line for each row, and every digit of its numbers', () => {
  const text = '{"data":[{"a":"x, {y}: \\"","b":[1,2]},{"a":null,"b":[]}],"none":[],"n":9007199254740993.0}';
  expect(indented(text)).toBe(`{
  "data": [
    {"a": "x, {y}: \\"", "b": [1, 2]},
    {"a": null, "b": []}
  ],
  "none": [],
  "n": 9007199254740993.0
}`);
});

test('a text that is not JSON loses nothing', () => {
  expect(indented('Bad gateway')).toBe('Bad gateway');
});
