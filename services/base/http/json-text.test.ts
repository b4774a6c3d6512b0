import { expect, test } from 'vitest';
import { readJson, readOwnJson, writeJson } from './json-text.ts';

test.each([
  '{"a":[1,"x",null,true,{"b":-2.5}]}',
  '[5.0]',
  '9007199254740993',
  '[-0,1e400]',
  '"5.0"',
  '{"n":0.00001}',
])('what was written of %s is read again as it was, and written as it was', (text) => {
  const value = readJson(text);
  expect(writeJson(value)).toBe(text);
  expect(readOwnJson(text)).toEqual(value);
});
