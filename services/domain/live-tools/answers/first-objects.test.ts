import { expect, test } from 'vitest';
import { firstObjects } from './first-objects.ts';

const OBJECTS = [
  '{"a":1.0,"b":"}, {\\"x\\":1}"}',
  '{"c":"\\\\","d":"[{"}',
  '{}',
  '{"n":9223372036854775807}',
];

test.each([0, 1, 2, 3, 4, 9])('the first %i of some objects are cut out as they stand', (n) => {
  expect(firstObjects(OBJECTS.join(','), n)).toBe(OBJECTS.slice(0, n).join(','));
});
