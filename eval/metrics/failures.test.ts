import { expect, test } from 'vitest';
import { parseJson } from '../json/lossless.ts';
import type { ValueFault } from './failures.ts';
import { classifyValue } from './failures.ts';

test.each<[string, string, ValueFault]>([
  ['5', '"5"', 'type'],
  ['true', '"true"', 'type'],
  ['["a"]', '"a"', 'type'],
  ['5.0', '"5"', 'type'],
  ['"New York"', '"new  york"', 'case'],
  ['"Ada"', '"Ada "', 'case'],
  ['"2012-08-23"', '"23/08/2012"', 'date'],
  ['"2012-08-23"', '"August 23, 2012"', 'date'],
  ['"201208"', '"2012-08"', 'date'],
  ['"2012-08%"', '"2012%"', 'other'],
  ['"2012-08-23"', '"2012-08-24"', 'date'],
  ['$A$', '$B$', 'reference'],
  ['5', '"$COUNT$"', 'reference'],
  ['1000', '1', 'unit'],
  ['0.05', '5', 'unit'],
  ['3', '5', 'other'],
  ['5', '"5 km"', 'unit'],
  ['90', '5400', 'unit'],
  ['[1,2]', '[1,"2"]', 'type'],
  ['[1,2]', '[2,1]', 'other'],
  ['{"a":"X","b":1}', '{"a":"x","b":1}', 'case'],
  ['{"a":1}', '{"b":1}', 'other'],
  ['"cat"', '"dog"', 'other'],
  ['null', '"null"', 'type'],
])('%s and %s differ by %s', (gold, predicted, fault) => {
  const read = (text: string) => parseJson(text.startsWith('$') ? JSON.stringify(text) : text);
  expect(classifyValue(read(gold), read(predicted))).toBe(fault);
  if (fault !== 'other') expect(classifyValue(read(predicted), read(gold))).toBe(fault);
});
