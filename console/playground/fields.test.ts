import { expect, test } from 'vitest';
import { fieldsOf, readValue } from './fields.ts';

test('each kind of argument has its field', () => {
  const column = { type: 'string', description: 'the column' };
  const fields = fieldsOf({
    required: ['data_source', 'key_name', 'condition'],
    properties: {
      data_source: { type: 'string' },
      key_name: column,
      other_key_name: { anyOf: [column, { type: 'array', items: column }] },
      condition: { type: 'string', enum: ['equal_to', 'in'] },
      value: { anyOf: [{ type: ['string', 'number'] }, { type: 'array' }] },
      distinct: { type: 'boolean', default: false },
      limit: { type: 'integer', default: -1 },
      operation_args: { type: 'object', default: {} },
    },
  });
  expect(fields.map(({ kind }) => kind)).toEqual([
    'handle',
    'column',
    'columns',
    'choice',
    'value',
    'yes_no',
    'whole',
    'json',
  ]);
  expect(fields.filter(({ aside }) => aside).map(({ name }) => name)).toEqual(['distinct', 'limit']);
});

test('digits are a number for a column of numbers and text for a column of texts', () => {
  expect([readValue('15', false), readValue('15', true)]).toEqual([15, '15']);
  expect(readValue('["a", "b"]', true)).toEqual(['a', 'b']);
  expect(readValue('9007199254740993', false)).toBe('9007199254740993');
  expect([readValue('North', false), readValue('$step_1$', false), readValue(' ', false)]).toEqual([
    'North',
    '$step_1$',
    undefined,
  ]);
});
