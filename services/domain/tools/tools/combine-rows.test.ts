import { describe, expect, it } from 'vitest';
import { ArgumentError } from '../../../base/arguments/argument-error.ts';
import { filter, get, run, type Step } from '../../../testing/tools/small-bench.ts';

describe('combine_rows', () => {
  it('or, and, and_not by row, whatever NULL does', async () => {
    const two: Step[] = [
      filter('person', 'person_age', 'equal_to', 30),
      filter('person', 'person_name', 'equal_to', 'Ann'),
    ];
    const combine = (combination: string): Step => [
      'combine_rows',
      { data_source: '$0$', other_data_source: '$1$', combination },
    ];
    expect(await run(...two, combine('or'), get(2, 'person_id'))).toEqual([[1], [3], [4], [7]]);
    expect(await run(...two, combine('and'), get(2, 'person_id'))).toEqual([[1]]);
    expect(await run(...two, combine('and_not'), get(2, 'person_id'))).toEqual([[4], [7]]);
  });
  it('takes rows with and without a partner as filtered', async () => {
    const partner = (join_type: string): Step => [
      'join_data',
      {
        data_source: '$person$',
        other_data_source: '$visit$',
        key_name: 'person_id',
        other_key_name: 'visit_person_id',
        join_type,
      },
    ];
    const rows = await run(
      filter('person', 'person_id', 'equal_to', 2),
      partner('anti'),
      ['combine_rows', { data_source: '$0$', other_data_source: '$1$', combination: 'or' }],
      get(2, 'person_id'),
    );
    expect(rows).toEqual([[2], [4], [5], [7]]);
  });
  it('refuses tables that are not filtered from one', async () => {
    const wrong = run(
      filter('person', 'person_age', 'equal_to', 30),
      filter('city', 'city_id', 'equal_to', 1),
      ['combine_rows', { data_source: '$0$', other_data_source: '$1$', combination: 'or' }],
    );
    await expect(wrong).rejects.toBeInstanceOf(ArgumentError);
  });
});
