import { describe, expect, it } from 'vitest';
import { aggregate, get, rowsOf, run, type Step } from '../../../testing/tools/small-bench.ts';

describe('join_data', () => {
  const joined = (join_type: string): Step => [
    'join_data',
    {
      data_source: '$person$',
      other_data_source: '$visit$',
      key_name: ['person_id', 'person_city_id'],
      other_key_name: ['visit_person_id', 'visit_city_id'],
      join_type,
    },
  ];
  it.each([
    ['inner', 'JOIN'],
    ['left', 'LEFT JOIN'],
  ])('%s', async (type, sql) => {
    expect(await run(joined(type), get(0, 'person_id'), get(0, 'visit_cost'))).toEqual(
      rowsOf(
        `SELECT p.id, v.cost FROM person p ${sql} visit v ON p.id = v.person_id AND p.city_id = v.city_id ORDER BY p.rowid, v.rowid`,
      ),
    );
  });
  it('semi and anti', async () => {
    const exists = 'EXISTS (SELECT 1 FROM visit v WHERE p.id = v.person_id AND p.city_id = v.city_id)';
    expect(await run(joined('semi'), get(0, 'person_id'))).toEqual(
      rowsOf(`SELECT id FROM person p WHERE ${exists}`),
    );
    expect(await run(joined('anti'), get(0, 'person_id'))).toEqual(
      rowsOf(`SELECT id FROM person p WHERE NOT ${exists}`),
    );
  });
  it('with grouped data, numbering equal names', async () => {
    const rows = await run(
      ['group_data_by', { data_source: '$visit$', key_name: 'visit_person_id' }],
      aggregate(0, 'visit_cost', 'sum'),
      [
        'join_data',
        {
          data_source: '$person$',
          other_data_source: '$1$',
          key_name: 'person_id',
          other_key_name: 'visit_person_id',
          join_type: 'inner',
        },
      ],
      get(2, 'person_name'),
      get(2, 'sum_visit_cost'),
    );
    expect(rows).toEqual([
      ['Ann', 20],
      ['bob', 7.5],
      ['Ann', 2.25],
      ['ann', 99],
    ]);
  });
});
