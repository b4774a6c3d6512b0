import { describe, expect, it } from 'vitest';
import { get, run } from '../../../testing/tools/small-bench.ts';

describe('retrieve_data', () => {
  it('gives distinct values where they first stand, then offset and limit', async () => {
    expect(await run(get('person', 'person_age', { distinct: true }))).toEqual([[30], [null], [25], [41]]);
    expect(await run(get('person', 'person_age', { distinct: true, limit: 2, offset: 1 }))).toEqual([
      [null],
      [25],
    ]);
    expect(await run(get('person', 'person_id', { limit: 2, offset: 5 }))).toEqual([[6], [7]]);
  });
  it('limits a column of a truncated table', async () => {
    expect(
      await run(
        ['truncate', { truncate_array: '$person$', n: 3, offset: 2 }],
        get(0, 'person_id', { limit: 2, offset: 1 }),
      ),
    ).toEqual([[4], [5]]);
  });
});
