import { describe, expect, it } from 'vitest';
import { aggregate, filter, get, rowsOf, run, type Step } from '../../../testing/tools/small-bench.ts';

describe('group_data_by', () => {
  it('gives one row a group, with aggregates and HAVING', async () => {
    const rows = await run(
      ['group_data_by', { data_source: '$person$', key_name: 'person_age' }],
      aggregate(0, '*', 'count'),
      filter('1', 'count_rows', 'greater_than', 1),
      aggregate(2, 'person_score', 'sum'),
      ['sort_data', { data_source: '$3$', key_name: 'sum_person_score', ascending: false }],
      get(4, 'person_age'),
      get(4, 'count_rows'),
      get(4, 'sum_person_score'),
    );
    expect(rows).toEqual(
      rowsOf(
        'SELECT age, COUNT(*), SUM("score (%)") s FROM person GROUP BY age HAVING COUNT(*) > 1 ORDER BY s DESC, age',
      ),
    );
  });
  it.each([
    [['person_age'], [['count_rows', false]], 'GROUP BY age ORDER BY count(*) DESC'],
    [['person_age'], [['count_rows', true]], 'GROUP BY age ORDER BY count(*)'],
    [
      ['person_city_id'],
      [
        ['person_city_id', false],
        ['count_rows', true],
      ],
      'GROUP BY city_id ORDER BY count(*), city_id DESC',
    ],
    [
      ['person_age', 'person_city_id'],
      [['count_rows', false]],
      'GROUP BY age, city_id ORDER BY count(*) DESC',
    ],
  ] as const)('groups of %j sorted by %j tie as in SQLite', async (keys, sorts, sql) => {
    const steps: Step[] = [
      ['group_data_by', { data_source: '$person$', key_name: keys }],
      aggregate(0, '*', 'count'),
    ];
    for (const [key_name, ascending] of sorts)
      steps.push(['sort_data', { data_source: `$${steps.length - 1}$`, key_name, ascending }]);
    const rows = await run(...steps, ...keys.map((key) => get(steps.length - 1, key)));
    expect(rows).toEqual(
      rowsOf(`SELECT ${keys.map((key) => key.replace('person_', '')).join(', ')} FROM person ${sql}`),
    );
  });
  it('takes other columns from the first row, or from the row of the extreme', async () => {
    const first = await run(
      ['group_data_by', { data_source: '$person$', key_name: ['person_age'] }],
      get(0, 'person_id'),
    );
    expect(first).toEqual([[2], [3], [1], [5]]);
    const extreme = await run(
      ['group_data_by', { data_source: '$person$', key_name: 'person_age' }],
      aggregate(0, 'person_score', 'max'),
      get(1, 'person_id'),
      get(1, 'max_person_score'),
    );
    expect(extreme).toEqual(rowsOf('SELECT id, MAX("score (%)") FROM person GROUP BY age'));
  });
  it('of no columns is one group, even of no rows', async () => {
    const rows = await run(
      filter('person', 'person_id', 'equal_to', 0),
      ['group_data_by', { data_source: '$0$', key_name: [] }],
      aggregate(1, 'person_age', 'max'),
      get(2, 'person_name'),
      get(2, 'max_person_age'),
    );
    expect(rows).toEqual([[null, null]]);
  });
  it('becomes a plain table by select_columns, so that groups can be aggregated', async () => {
    const rows = await run(
      ['group_data_by', { data_source: '$person$', key_name: 'person_age' }],
      aggregate(0, '*', 'count'),
      ['select_columns', { data_source: '$1$', key_name: 'count_rows' }],
      aggregate(2, 'count_rows', 'max'),
    );
    expect(rows).toEqual([[3]]);
  });
});
