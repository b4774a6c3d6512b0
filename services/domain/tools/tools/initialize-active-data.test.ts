import { describe, expect, it } from 'vitest';
import { get, rowsOf, run } from '../../../testing/tools/small-bench.ts';

describe('start tables', () => {
  it('keep the rows of the first table in order, then those of the second', async () => {
    const rows = await run(get('lived', 'person_id'), get('lived', 'city_name'));
    expect(rows).toEqual(
      rowsOf('SELECT p.id, c.name FROM person p LEFT JOIN city c ON p.city_id = c.id ORDER BY p.id'),
    );
  });
  it('without row ids go by their primary key', async () => {
    expect(await run(get('pair', 'pair_k'), get('pair', 'pair_n'))).toEqual(
      rowsOf('SELECT k, n FROM pair ORDER BY k, n'),
    );
  });
});
