import { expect, test } from 'vitest';
import { toCallElement } from '../calls/calls.ts';
import { type Json, parseJson } from '../json/lossless.ts';
import { costOf, countRedundant } from './trajectory.ts';

test.each([
  ['[]', 0],
  ['[{"name":"f","arguments":{"x":1}},{"name":"f","arguments":{"x":2}}]', 0],
  [
    '[{"name":"f","arguments":{"x":1}},{"name":"g","arguments":{"x":1}},{"name":"f","arguments":{"x":1.0}}]',
    1,
  ],
  ['[{"name":"f","arguments":{}},{"name":"f","arguments":{}},{"name":"f","arguments":{}}]', 2],
  ['["f","f"]', 0],
])('redundant calls of %s: %i', (calls, redundant) => {
  expect(countRedundant((parseJson(calls) as Json[]).map(toCallElement))).toBe(redundant);
});

test('cost needs tokens, a model and its price', () => {
  const prices = { m: { input_per_million: 2, output_per_million: 10 } };
  expect(costOf({ input: 500_000, output: 100_000 }, 'm', prices)).toBeCloseTo(2);
  expect(costOf({ input: 500_000, output: null }, 'm', prices)).toBeNull();
  expect(costOf({ input: 1, output: 1 }, 'other', prices)).toBeNull();
  expect(costOf({ input: 1, output: 1 }, 'm', null)).toBeNull();
});
