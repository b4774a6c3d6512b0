import { stringify } from 'lossless-json';
import { expect, it, test } from 'vitest';
import { lastJson, restRows } from './read-json.ts';

test.each<[string, string, string | undefined]>([
  ['the text itself', '[[1, "a"]]', '[[1,"a"]]'],
  ['a number with the digits it came with', '12345678901234567890.50', '12345678901234567890.50'],
  ['the last value in prose', 'First [1], then {"a": [2]} in the end [[3]].', '[[3]]'],
  ['the outermost bracket of the last value', 'so: {"rows": [[1], [2]]}', '{"rows":[[1],[2]]}'],
  ['brackets in strings', 'so: ["a]", "b\\"[" ]', '["a]","b\\"["]'],
  ['what follows thoughts', '<think>[1]</think> none', undefined],
  ['nothing in prose', 'There are none (at all).', undefined],
])('finds %s', (_, text, found) => {
  expect(stringify(lastJson(text))).toBe(found);
});

test('a text full of brackets does not take long', () => {
  const started = performance.now();
  lastJson(']'.repeat(200_000));
  lastJson('['.repeat(200_000));
  expect(performance.now() - started).toBeLessThan(5_000);
});

const answer = (rows: string) => `{"data":[${rows}],"row_count":1,"truncated":false}`;

it('keeps every digit of an integer that a double cannot hold', () => {
  expect(restRows(answer('{"id":9007199254740993,"n":7}'))).toEqual([[9007199254740993n, 7]]);
});

it('keeps the columns in the order of the text, names that look like numbers too', () => {
  expect(restRows(answer('{"b":1,"2":2,"1":3}'))).toEqual([[1, 2, 3]]);
});

it('returns null for other texts', () => {
  expect([restRows('{"error":"none"}'), restRows('none')]).toEqual([null, null]);
});
