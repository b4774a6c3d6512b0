import { describe, expect, it } from 'vitest';
import { get, run } from '../../../testing/tools/small-bench.ts';

describe('select_unique_values', () => {
  it('of a column and of several columns', async () => {
    expect(await run(get('person', 'person_age'), ['select_unique_values', { unique_array: '$0$' }])).toEqual(
      [[30], [null], [25], [41]],
    );
    const rows = await run(
      ['select_columns', { data_source: '$visits$', key_name: ['person_name', 'city_id'] }],
      ['select_unique_values', { unique_array: '$0$' }],
      get(1, 'person_name'),
      get(1, 'city_id'),
    );
    expect(rows).toEqual([
      ['Ann', 1],
      ['Ann', 2],
      ['bob', 3],
      ['Ann', 4],
      ['ann', 1],
    ]);
  });

  it('of some columns keeps the first whole row, which can then be sorted', async () => {
    const rows = await run(
      ['sort_data', { data_source: '$person$', key_name: 'person_id', ascending: false }],
      ['select_unique_values', { unique_array: '$0$', key_name: ['person_age', 'person_name'] }],
      get(1, 'person_id'),
      get(1, 'person_age'),
    );
    expect(rows).toEqual([
      [7, 30],
      [6, 25],
      [5, 41],
      [4, 30],
      [3, 25],
      [2, null],
      [1, 30],
    ]);
    expect(
      await run(
        ['select_unique_values', { unique_array: '$person$', key_name: 'person_age' }],
        ['sort_data', { data_source: '$0$', key_name: 'person_name', ascending: true }],
        get(1, 'person_id'),
      ),
    ).toEqual([[1], [3], [5], [2]]);
  });
});
