import { expect, test } from 'vitest';
import type { FieldError } from '../../../contracts/problem.ts';
import type { HttpProblem } from '../../base/http/problem.ts';
import { parameter } from '../../testing/zoo.ts';
import { bindParameters, type QueryString } from './parameters.ts';

const parameters = [
  parameter('count', 'integer'),
  parameter('ratio', 'number'),
  parameter('superhero_name', 'string'),
  parameter('ids', 'integer', { array: true }),
  parameter('weights', 'number', { array: true }),
  parameter('names', 'string', { array: true }),
];
const given = { count: '1', ratio: '1', superhero_name: '', ids: '1', weights: '1', names: 'x' };

const bind = (more: QueryString) => bindParameters(parameters, { ...given, ...more }).values;

function errorsOf(query: QueryString): readonly FieldError[] {
  try {
    bindParameters(parameters, query);
  } catch (problem) {
    return (problem as HttpProblem).errors;
  }
  return [];
}

test('each type is bound as SQLite should see it', () => {
  expect(bind({})).toEqual({
    count: 1n,
    ratio: 1,
    superhero_name: '',
    ids: '[1]',
    weights: '[1.0]',
    names: '["x"]',
  });
});

test.each([
  ['0', 0n],
  ['-7', -7n],
  ['007', 7n],
  ['5.0', 5n],
  ['9223372036854775807', 2n ** 63n - 1n],
  ['-9223372036854775808', -(2n ** 63n)],
])('integer %s', (text, value) => {
  expect(bind({ count: text })['count']).toBe(value);
});

test.each(['', ' 1', '1.5', '1e3', '0x10', '1_000', 'NaN', '१', 'null', '--1', '5.'])(
  'no integer: "%s"',
  (text) => {
    expect(errorsOf({ ...given, count: text })).toEqual([
      { field: 'count', code: 'wrong_type', message: 'count must be an integer' },
    ]);
  },
);

test.each(['9223372036854775808', '-9223372036854775809', '1'.repeat(40)])('out of range: %s', (text) => {
  expect(errorsOf({ ...given, count: text })).toMatchObject([{ field: 'count', code: 'out_of_range' }]);
});

test.each([
  ['1e3', 1000],
  ['-.5', -0.5],
  ['5.', 5],
  ['1E-2', 0.01],
])('number %s', (text, value) => {
  expect(bind({ ratio: text })['ratio']).toBe(value);
});

test.each(['', 'abc', '1,5', 'Infinity', '0x1', '1e', '.', '1 '])('no number: "%s"', (text) => {
  expect(errorsOf({ ...given, ratio: text })).toMatchObject([{ field: 'ratio', code: 'wrong_type' }]);
});

test('a number too large for a double is out of range', () => {
  expect(errorsOf({ ...given, ratio: '1e400' })).toMatchObject([{ field: 'ratio', code: 'out_of_range' }]);
});

test('arrays keep order, type and every digit', () => {
  const values = bind({
    ids: ['9007199254740993', '-1'],
    weights: ['2', '1e21', '0.5'],
    names: ['a"b', '', 'é'],
  });
  expect(values).toMatchObject({
    ids: '[9007199254740993,-1]',
    weights: '[2.0,1.0e+21,0.5]',
    names: '["a\\"b","","é"]',
  });
});

test('one wrong element makes the array wrong', () => {
  expect(errorsOf({ ...given, ids: ['1', 'x'] })).toMatchObject([{ field: 'ids', code: 'wrong_type' }]);
});

test('every fault is told at once, one entry a field', () => {
  expect(
    errorsOf({ count: ['1', '2'], ratio: 'x', superhero_nam: 'a', ids: '1', weights: '1', names: 'x' }),
  ).toEqual([
    { field: 'count', code: 'repeated', message: 'count is given 2 times' },
    { field: 'ratio', code: 'wrong_type', message: 'ratio must be a number' },
    { field: 'superhero_name', code: 'missing', message: 'superhero_name is missing' },
    {
      field: 'superhero_nam',
      code: 'unknown_parameter',
      message: 'there is no parameter superhero_nam; did you mean superhero_name?',
      suggestions: ['superhero_name'],
    },
  ]);
});

test('a very long unknown name is neither compared nor echoed whole', () => {
  const [error] = errorsOf({ ...given, ['x'.repeat(10_000)]: '1' });
  expect(error?.field.length).toBeLessThan(70);
  expect(error?.suggestions).toBeUndefined();
});
