import { expect, test } from 'vitest';
import { article } from './noun-phrase.ts';

test.each([
  'an SAT score',
  'an NCES number',
  'an FRPM count',
  'a NAME1',
  'a LOINC',
  'a MATNR',
  'a URL',
  'an ID',
  'an hour',
  'a unit',
])('%s', (text) => {
  expect(article(text.replace(/^an? /, ''))).toBe(text);
});
