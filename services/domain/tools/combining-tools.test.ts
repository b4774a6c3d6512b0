import { describe, expect, it } from 'vitest';
import { ArgumentError } from '../../base/arguments.ts';
import { aggregate, filter, get, rowsOf, run, type Step } from '../../testing/tool-bench.ts';

describe('group_data_by', () => {
  it('gives one row per group, with aggregates and HAVING', async () => {
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

describe('aggregate_data', () => {
  const cases: [type: string, key: string, more: object, sql: string][] = [
    ['min', 'person_age', {}, 'SELECT MIN(age) FROM person'],
    ['max', 'person_code', {}, 'SELECT MAX(code) FROM person'],
    ['sum', 'person_score', {}, 'SELECT SUM("score (%)") FROM person'],
    ['sum', 'person_age', { distinct: true }, 'SELECT SUM(DISTINCT age) FROM person'],
    ['mean', 'person_age', {}, 'SELECT AVG(age) FROM person'],
    ['count', 'person_name', {}, 'SELECT COUNT(name) FROM person'],
    ['count', '*', {}, 'SELECT COUNT(*) FROM person'],
    ['count', 'person_name', { distinct: true }, 'SELECT COUNT(DISTINCT name) FROM person'],
    [
      'count',
      'person_name',
      { limit: 3 },
      'SELECT COUNT(name) FROM (SELECT name FROM person ORDER BY id LIMIT 3)',
    ],
    ['total', 'person_age', {}, 'SELECT TOTAL(age) FROM person'],
    ['argmin', 'person_age', {}, 'SELECT 2'],
    ['argmax', 'person_age', {}, 'SELECT 4'],
    ['group_concat', 'person_name', { separator: '/' }, "SELECT 'Ann/bob/Ann/Cid/ann/Dee'"],
  ];
  it.each(cases)('%s of %s %j', async (type, key, more, sql) => {
    expect(await run(aggregate('person', key, type, more))).toEqual(rowsOf(sql));
  });
  it('std is the sample standard deviation', async () => {
    const [[value]] = (await run(aggregate('person', 'person_age', 'std'))) as [[number]];
    const ages = [30, 25, 30, 41, 25, 30];
    const mean = ages.reduce((a, b) => a + b) / 6;
    expect(value).toBeCloseTo(Math.sqrt(ages.reduce((sum, age) => sum + (age - mean) ** 2, 0) / 5), 10);
  });
  it('of no rows is NULL, and 0 for count', async () => {
    expect(
      await run(
        filter('person', 'person_id', 'equal_to', 0),
        aggregate(0, 'person_age', 'sum'),
        aggregate(0, '*', 'count'),
      ),
    ).toEqual([[null, 0]]);
  });
});

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

describe('combine_rows', () => {
  it('or, and, and_not go by row, even with NULL', async () => {
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
  it('accepts rows with and without a partner as filtered', async () => {
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
  it('rejects tables that are not filtered from the same one', async () => {
    const wrong = run(
      filter('person', 'person_age', 'equal_to', 30),
      filter('city', 'city_id', 'equal_to', 1),
      ['combine_rows', { data_source: '$0$', other_data_source: '$1$', combination: 'or' }],
    );
    await expect(wrong).rejects.toBeInstanceOf(ArgumentError);
  });
});

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
