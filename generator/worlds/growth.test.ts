import { expect, test } from 'vitest';
import type { Catalog } from '../../contracts/catalog.ts';
import { growthOf } from './growth.ts';

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
