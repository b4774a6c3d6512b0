import { Ajv } from 'ajv';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Grammar } from '../../tests/support/gbnf.ts';
import { grammarOf } from './grammar.ts';

const object = (properties: Record<string, unknown>) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});
const text = { type: 'string' };

const SCHEMAS: Readonly<Record<string, Record<string, unknown>>> = {
  'an object with an object': object({ name: text, inner: object({ 'a "b"': { type: 'integer' } }) }),
  'an empty object': object({}),
  'any object': { type: 'object' },
  'a choice of schemas': { anyOf: [{ type: 'null' }, { type: 'array', items: text }] },
  'a choice of types': { type: ['string', 'number', 'boolean', 'null'] },
  'a choice of values': { enum: ['a"b\\c', 3, null, 'é'] },
  'a list of two': { type: 'array', items: { type: 'number' }, minItems: 2, maxItems: 2 },
  'a list of one to three': { type: 'array', items: text, minItems: 1, maxItems: 3 },
  'a list of at most one': { type: 'array', items: text, maxItems: 1 },
  'any value': object({ value: {} }),
};

test.each(Object.entries(SCHEMAS))('%s: every sentence is JSON that the schema allows', (_, schema) => {
  const grammar = new Grammar(grammarOf(schema));
  const isAllowed = new Ajv({ allowUnionTypes: true }).compile(schema);
  fc.assert(
    fc.property(fc.infiniteStream(fc.nat()), (numbers) => {
      const sentence = grammar.sentence((below) => (numbers.next().value as number) % below);
      expect(grammar.fits(sentence)).toBe(true);
      expect([sentence, isAllowed(JSON.parse(sentence))]).toEqual([sentence, true]);
    }),
    { numRuns: 100 },
  );
});

test.each<[string, string, unknown, boolean]>([
  ['an object with an object', 'as it is', { name: 'x', inner: { 'a "b"': -20 } }, true],
  ['an object with an object', 'without a property', { name: 'x' }, false],
  ['an object with an object', 'with another type', { name: 1, inner: { 'a "b"': 1 } }, false],
  ['any object', 'with anything', { a: [1, { b: null }], 'é\n😀': 1e-7 }, true],
  ['any object', 'that is a list', [], false],
  ['a choice of schemas', 'the first', null, true],
  ['a choice of schemas', 'an empty list', [], true],
  ['a choice of schemas', 'a list of another type', [1], false],
  ['a choice of values', 'one with quotes', 'a"b\\c', true],
  ['a choice of values', 'another', 'b', false],
  ['a list of two', 'two', [1, -2.5], true],
  ['a list of two', 'one', [1], false],
  ['a list of two', 'three', [1, 2, 3], false],
  ['a list of one to three', 'none', [], false],
  ['a list of one to three', 'three', ['a', 'b', 'c'], true],
  ['a list of one to three', 'four', ['a', 'b', 'c', 'd'], false],
  ['a list of at most one', 'none', [], true],
  ['a list of at most one', 'two', ['a', 'b'], false],
])('%s: %s', (schema, _, value, fits) => {
  expect(new Grammar(grammarOf(SCHEMAS[schema] ?? {})).fits(JSON.stringify(value))).toBe(fits);
});

test('one blank may follow a comma or a colon, and text is no sentence', () => {
  const grammar = new Grammar(grammarOf(SCHEMAS['a list of two'] ?? {}));
  expect([grammar.fits('[1, 2]'), grammar.fits('[1,  2]'), grammar.fits(' [1,2]')]).toEqual([
    true,
    false,
    false,
  ]);
  expect(grammar.fits('I would take 1 and 2.')).toBe(false);
});
