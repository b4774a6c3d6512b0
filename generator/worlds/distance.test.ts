import { expect, test } from 'vitest';
import { distanceOf } from './distance.ts';

const pairs = (before: readonly number[], after: readonly number[]) =>
  before.map((value, i) => ({ before: value, after: after[i] as number }));

test.each([
  ['nothing', [], [], 0],
  ['the same numbers in another order', [1, 2, 3, 3], [3, 1, 3, 2], 0],
  ['one of four moved past others', [1, 2, 3, 4], [1, 5, 3, 4], 0.25],
  ['all of them moved', [1, 1, 1], [2, 2, 2], 1],
  ['moved there and back', [10, 10, 11, 11], [11, 10, 10, 11], 0],
])('the distance of %s', (_, before, after, ks) => {
  expect(distanceOf(pairs(before, after))).toEqual({ ks, n: before.length });
});
