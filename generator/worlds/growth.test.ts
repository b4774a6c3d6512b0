import { expect, test } from 'vitest';
import type { Catalog } from '../../contracts/catalog.ts';
import { distanceOf } from './make-world.ts';
import { growthOf } from './read-origin.ts';

const catalog = (db: string, sizes: readonly number[]): Catalog => ({
  db,
  tables: sizes.map((rows, i) => ({
    name: `t${i}`,
    friendly_name: null,
    description: null,
    rows,
    columns: [],
    foreign_keys: [],
    has_rowid: true,
    view: false,
  })),
});

test('of tables of one size every other one grows, over all domains, and only a few change', () => {
  const growth = growthOf([catalog('a', [15, 15, 15]), catalog('b', [15])]);
  expect([...(growth.get('a') ?? []).values(), ...(growth.get('b') ?? []).values()]).toEqual([1, -1, 0, 0]);
});

test('tables of neighbouring sizes change places', () => {
  expect([...(growthOf([catalog('a', [5, 6, 7, 8])]).get('a') ?? []).values()]).toEqual([1, -1, 1, -1]);
});

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
