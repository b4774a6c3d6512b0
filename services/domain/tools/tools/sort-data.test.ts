import { describe, expect, it } from 'vitest';
import { get, rowsOf, run, type Step } from '../../../testing/tools/small-bench.ts';

describe('sort_data', () => {
  it('is stable and puts NULL first when ascending', async () => {
    const sort = (from: string | number, key_name: string, ascending: boolean): Step => [
      'sort_data',
      { data_source: `$${from}$`, key_name, ascending },
    ];
    expect(await run(sort('person', 'person_age', true), get(0, 'person_id'))).toEqual([
      [2],
      [3],
      [6],
      [1],
      [4],
      [7],
      [5],
    ]);
    expect(
      await run(sort('person', 'person_name', false), sort(0, 'person_age', false), get(1, 'person_id')),
    ).toEqual(rowsOf('SELECT id FROM person ORDER BY age DESC, name DESC, id'));
  });
});
