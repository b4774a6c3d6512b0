import { describe, expect, it } from 'vitest';
import { get, rowsOf, run, type Step } from '../../../testing/tools/small-bench.ts';

describe('combine_results', () => {
  it.each(['union', 'union_all', 'intersect', 'except'])('%s of two columns', async (combination) => {
    const rows = await run(get('person', 'person_city_id'), get('city', 'city_id'), [
      'combine_results',
      { data_source: '$0$', other_data_source: '$1$', combination },
    ]);
    expect(rows).toEqual(
      rowsOf(`SELECT city_id FROM person ${combination.replace('_', ' ')} SELECT id FROM city`),
    );
  });
  it('of tables, then sorted', async () => {
    const select = (from: string, key_name: string[]): Step => [
      'select_columns',
      { data_source: `$${from}$`, key_name },
    ];
    const rows = await run(
      select('person', ['person_name', 'person_age']),
      select('city', ['city_name', 'city_size']),
      ['combine_results', { data_source: '$0$', other_data_source: '$1$', combination: 'union_all' }],
      ['sort_data', { data_source: '$2$', key_name: 'person_age', ascending: false }],
      get(3, 'person_name', { limit: 3 }),
      get(3, 'person_age', { limit: 3 }),
    );
    expect(rows).toEqual([
      ['Rome', 300],
      ['rome', 50],
      ['Oslo', 50],
    ]);
  });
});
