import { describe, expect, it } from 'vitest';
import type { Row } from '../../contracts/value.ts';
import { catalogOf, smallDatabase } from './testing/small-database.ts';
import { ToolBench } from './testing/tool-bench.ts';
import { ToolError } from './tool-error.ts';

const db = smallDatabase();
const bench = new ToolBench(db, catalogOf(db));
const one = (table: string) => ({
  condition_sequence: [],
  alias_to_table_dict: { [table]: { original_table_name: table, modified_table_name: table } },
});
const starts = {
  person: bench.start(one('person')),
  city: bench.start(one('city')),
  visit: bench.start(one('visit')),
  pair: bench.start(one('pair')),
  lived: bench.start({
    condition_sequence: [['T1.city_id', 'T2.id', 'LEFT']],
    alias_to_table_dict: {
      T1: { original_table_name: 'person', modified_table_name: 'person' },
      T2: { original_table_name: 'city', modified_table_name: 'city' },
    },
  }),
  visits: bench.start({
    condition_sequence: [
      ['p.id', 'v.person_id', 'INNER'],
      ['v.city_id', 'c.id', 'INNER'],
    ],
    alias_to_table_dict: {
      p: { original_table_name: 'person', modified_table_name: 'person' },
      v: { original_table_name: 'visit', modified_table_name: 'visit' },
      c: { original_table_name: 'city', modified_table_name: 'city' },
    },
  }),
};

type Step = [tool: string, args: Record<string, unknown>];

/** Steps in order; `$0$` is the result of the first, `$1$` of the second, `$person$` a start table. */
function run(...steps: Step[]): Promise<Row[] | null> {
  const calls = steps.map(([name, args], i) => ({ name, arguments: args, label: String(i) }));
  return bench.replay(calls, starts);
}

const rowsOf = (sql: string): Row[] => db.prepare(sql).raw().all() as Row[];

const filter = (from: string, key_name: string, condition: string, value?: unknown): Step => [
  'filter_data',
  { data_source: `$${from}$`, key_name, condition, ...(value === undefined ? {} : { value }) },
];
const get = (from: string | number, key_name: string, more = {}): Step => [
  'retrieve_data',
  { data_source: `$${from}$`, key_name, distinct: false, limit: -1, ...more },
];
const transform = (
  from: string | number,
  key_name: string,
  operation_type: string,
  args = {},
  into?: string,
): Step => [
  'transform_data',
  {
    data_source: `$${from}$`,
    key_name,
    operation_type,
    operation_args: args,
    ...(into ? { new_key_name: into } : {}),
  },
];
const aggregate = (from: string | number, key_name: string, aggregation_type: string, more = {}): Step => [
  'aggregate_data',
  { data_source: `$${from}$`, key_name, aggregation_type, ...more },
];

describe('filter_data', () => {
  const cases: [condition: string, key: string, value: unknown, where: string][] = [
    ['equal_to', 'person_age', 30, 'age = 30'],
    ['equal_to', 'person_age', '30', "age = '30'"],
    ['equal_to', 'person_code', 5, 'code = 5'],
    ['equal_to', 'person_code', '5', "code = '5'"],
    ['not_equal_to', 'person_name', 'Ann', "name <> 'Ann'"],
    ['greater_than', 'person_score', 1.5, '"score (%)" > 1.5'],
    ['less_than', 'person_name', 'Cid', "name < 'Cid'"],
    ['greater_than_equal_to', 'person_code', 5, 'code >= 5'],
    ['less_than_equal_to', 'person_age', 30, 'age <= 30'],
    ['contains', 'person_name', 'nn', "instr(name, 'nn') > 0"],
    ['like', 'person_name', 'a%', "name LIKE 'a%'"],
    ['not_like', 'person_name', 'a%', "name NOT LIKE 'a%'"],
    ['starts_with', 'person_name', 'A', "name GLOB 'A*'"],
    ['ends_with', 'person_name', 'n', "name GLOB '*n'"],
    ['glob', 'person_name', 'A*', "name GLOB 'A*'"],
    ['not_glob', 'person_name', 'A*', "name NOT GLOB 'A*'"],
    ['between', 'person_age', [25, 30], 'age BETWEEN 25 AND 30'],
    ['not_between', 'person_age', [26, 30], 'age NOT BETWEEN 26 AND 30'],
    ['in', 'person_name', ['Ann', 'Dee'], "name IN ('Ann', 'Dee')"],
    ['in', 'person_name', [], '0'],
    ['not_in', 'person_name', ['Ann', null], "name NOT IN ('Ann', NULL)"],
    ['is_null', 'person_name', undefined, 'name IS NULL'],
    ['is_not_null', 'person_age', undefined, 'age IS NOT NULL'],
    ['less_than', 'person_age', { key_name: 'person_score' }, 'age < "score (%)"'],
    ['equal_to', 'person_name', { key_name: 'person_code' }, 'name = code'],
  ];
  it.each(cases)('%s on %s with %j', async (condition, key, value, where) => {
    const rows = await run(filter('person', key, condition, value), get(0, 'person_id'));
    expect(rows).toEqual(rowsOf(`SELECT id FROM person WHERE ${where} ORDER BY rowid`));
  });

  it('uses the collation of the column', async () => {
    const rows = await run(filter('city', 'city_name', 'equal_to', 'ROME'), get(0, 'city_id'));
    expect(rows).toEqual([[1], [2]]);
  });

  it('takes an earlier value, and the first of an earlier column', async () => {
    const max = await run(
      aggregate('person', 'person_age', 'max'),
      filter('person', 'person_age', 'equal_to', '$0$'),
      get(1, 'person_id'),
    );
    expect(max).toEqual([[5]]);
    const first = await run(
      ['sort_data', { data_source: '$person$', key_name: 'person_age', ascending: false }],
      get(0, 'person_name'),
      filter('person', 'person_name', 'equal_to', '$1$'),
      get(2, 'person_id'),
    );
    expect(first).toEqual([[5]]);
  });

  it('takes an earlier column as a list', async () => {
    const rows = await run(
      get('visit', 'visit_city_id'),
      filter('city', 'city_id', 'not_in', '$0$'),
      get(1, 'city_id'),
    );
    expect(rows).toEqual(rowsOf('SELECT id FROM city WHERE id NOT IN (SELECT city_id FROM visit)'));
    const some = await run(
      get('visit', 'visit_city_id'),
      filter('city', 'city_id', 'in', '$0$'),
      get(1, 'city_id'),
    );
    expect(some).toEqual(rowsOf('SELECT id FROM city WHERE id IN (SELECT city_id FROM visit) ORDER BY 1'));
  });

  it('leaves text that only looks like a reference alone', async () => {
    expect(await run(filter('person', 'person_name', 'equal_to', '$nobody$'), get(0, 'person_id'))).toEqual(
      [],
    );
  });
});

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

describe('transform_data', () => {
  const cases: [key: string, operation: string, args: object, sql: string][] = [
    ['person_born', 'substring', { start_index: 0, end_index: 4 }, 'substr(born, 1, 4)'],
    ['person_born', 'substring', { start_index: 5 }, 'substr(born, 6)'],
    ['person_born', 'substring', { start_index: -2 }, 'substr(born, -2)'],
    ['person_born', 'substring', { start_index: 1, length: 3 }, 'substr(born, 2, 3)'],
    ['person_score', 'absolute_value', {}, 'abs("score (%)")'],
    ['person_born', 'datetime_part', { datetime_pattern: '%Y' }, "strftime('%Y', born)"],
    [
      'person_born',
      'datetime_part',
      { datetime_pattern: '%Y-%m-%d', modifiers: ['+1 month'] },
      "date(born, '+1 month')",
    ],
    ['person_born', 'julian_day', {}, 'julianday(born)'],
    ['person_born', 'unix_seconds', {}, 'unixepoch(born)'],
    ['person_age', 'add', { operand: 1 }, 'age + 1'],
    ['person_age', 'subtract', { operand: { key_name: 'person_id' } }, 'age - id'],
    ['person_age', 'subtract', { operand: 100, reverse: true }, '100 - age'],
    ['person_age', 'divide', { operand: 4 }, 'age / 4'],
    ['person_age', 'divide', { operand: '4.0' }, 'age / 4.0'],
    ['person_age', 'divide', { operand: 0 }, 'age / 0'],
    ['person_age', 'multiply', { operand: '2.0' }, 'age * 2.0'],
    ['person_age', 'modulo', { operand: 4 }, 'age % 4'],
    ['person_name', 'add', { operand: 1 }, 'name + 1'],
    ['person_score', 'round', {}, 'round("score (%)")'],
    ['person_score', 'round', { digits: 1 }, 'round("score (%)", 1)'],
    ['person_code', 'cast', { type: 'integer' }, 'CAST(code AS INTEGER)'],
    ['person_code', 'cast', { type: 'text' }, 'CAST(code AS TEXT)'],
    ['person_name', 'upper', {}, 'upper(name)'],
    ['person_name', 'length', {}, 'length(name)'],
    ['person_name', 'replace', { from: 'n', to: 'm' }, "replace(name, 'n', 'm')"],
    ['person_name', 'position', { text: 'n' }, "instr(name, 'n')"],
    ['person_name', 'concatenate', { operand: { key_name: 'person_age' } }, 'name || age'],
    ['person_name', 'concatenate', { operand: 'x', reverse: true }, "'x' || name"],
    ['person_score', 'format', { pattern: '%.2f' }, `printf('%.2f', "score (%)")`],
    [
      'person_age',
      'choose',
      { condition: 'greater_than', value: 26, if_true: 'old', if_false: { key_name: 'person_name' } },
      "CASE WHEN age > 26 THEN 'old' ELSE name END",
    ],
    ['person_age', 'compare', { condition: 'in', value: [25, 41] }, 'age IN (25, 41)'],
    ['person_age', 'coalesce', { operand: -1 }, 'coalesce(age, -1)'],
    ['person_age', 'null_if', { operand: 30 }, 'nullif(age, 30)'],
    ['person_age', 'smaller', { operand: 28 }, 'min(age, 28)'],
    ['person_id', 'constant', { value: 'x' }, "'x'"],
    ['person_age', 'rank', { ascending: false }, 'rank() OVER (ORDER BY age DESC)'],
    [
      'person_age',
      'dense_rank',
      { partition_by: ['person_city_id'] },
      'dense_rank() OVER (PARTITION BY city_id ORDER BY age)',
    ],
    ['person_age', 'row_number', {}, 'row_number() OVER (ORDER BY age, id)'],
    [
      'person_age',
      'rank',
      { order_by: [{ key_name: 'person_name', ascending: false }] },
      'rank() OVER (ORDER BY age, name DESC)',
    ],
    ['person_id', 'bucket', { buckets: 3 }, 'ntile(3) OVER (ORDER BY id)'],
    [
      'person_name',
      'previous',
      { order_by: [{ key_name: 'person_age', ascending: true }] },
      'lag(name) OVER (ORDER BY age, id)',
    ],
    ['person_name', 'next', { rows: 2, default: '-' }, "lead(name, 2, '-') OVER (ORDER BY id)"],
    [
      'person_age',
      'running_sum',
      { partition_by: ['person_city_id'] },
      'sum(age) OVER (PARTITION BY city_id)',
    ],
    [
      'person_age',
      'running_sum',
      { order_by: [{ key_name: 'person_age', ascending: true }] },
      'sum(age) OVER (ORDER BY age)',
    ],
    [
      'person_id',
      'running_mean',
      { order_by: [{ key_name: 'person_id', ascending: true }], rows_before: 1 },
      'avg(id) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)',
    ],
  ];
  it.each(cases)('%s %s %j', async (key, operation, args, sql) => {
    const expected = rowsOf(`SELECT ${sql} FROM person ORDER BY id`);
    expect(await run(transform('person', key, operation, args), get(0, key))).toEqual(expected);
    const both = await run(
      transform('person', key, operation, args, 'made'),
      get(0, 'made'),
      get(0, 'person_id'),
    );
    expect(both).toEqual(expected.map(([value], i) => [value, i + 1]));
  });
  it('filters outside a window: ranks are those of the table ranked', async () => {
    const rows = await run(
      transform('person', 'person_age', 'rank', { ascending: false }, 'r'),
      filter('0', 'r', 'less_than_equal_to', 2),
      get(1, 'person_id'),
      get(1, 'r'),
    );
    expect(rows).toEqual([
      [1, 2],
      [4, 2],
      [5, 1],
      [7, 2],
    ]);
  });
});

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
    await expect(wrong).rejects.toBeInstanceOf(ToolError);
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
});

describe('select_unique_values of some columns', () => {
  it('keeps the first whole row, which can then be sorted', async () => {
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

describe('calculate', () => {
  it('divides results', async () => {
    const rows = await run(
      aggregate('person', 'person_age', 'sum'),
      aggregate('person', '*', 'count'),
      ['calculate', { input: '$0$', operation_type: 'multiply', operation_args: { operand: '100.0' } }],
      ['calculate', { input: '$2$', operation_type: 'divide', operation_args: { operand: '$1$' } }],
    );
    expect(rows).toEqual(rowsOf('SELECT SUM(age) * 100.0 / COUNT(*) FROM person'));
  });
});

describe('handles', () => {
  it('are the same for the same calls, and tell different ones apart', async () => {
    const make = (value: unknown) =>
      bench.call('filter_data', {
        data_source: starts.person,
        key_name: 'person_age',
        condition: 'equal_to',
        value,
      });
    expect((await make(30)).handle).toBe((await make(30)).handle);
    expect((await make(30)).handle).not.toBe((await make('30')).handle);
    expect((await make(30)).handle).toMatch(/^filtered_[0-9a-f]{12}$/);
  });
  it('show no rows of a table but a preview, and count', async () => {
    const answer = await bench.call(
      'filter_data',
      { data_source: starts.person, key_name: 'person_age', condition: 'equal_to', value: 30 },
      2,
    );
    expect(answer).toMatchObject({ kind: 'table', row_count: 3 });
    expect(answer.kind === 'table' && answer.preview.length).toBe(2);
  });
});

describe('errors name the field', () => {
  const cases: [tool: string, args: Record<string, unknown>, field: string, code: string][] = [
    [
      'filter_data',
      { data_source: 'filtered_000000000000', key_name: 'x', condition: 'is_null' },
      'data_source',
      'unknown_handle',
    ],
    [
      'filter_data',
      { data_source: starts.person, key_name: 'nam', condition: 'is_null' },
      'key_name',
      'unknown_column',
    ],
    [
      'filter_data',
      { data_source: starts.person, key_name: 'person_name', condition: 'equals', value: 1 },
      'condition',
      'not_one_of',
    ],
    [
      'filter_data',
      { data_source: starts.person, key_name: 'person_name', condition: 'equal_to' },
      'value',
      'missing',
    ],
    [
      'filter_data',
      { data_source: starts.person, key_name: 'person_name', condition: 'between', value: 3 },
      'value',
      'wrong_type',
    ],
    [
      'filter_data',
      {
        data_source: starts.person,
        key_name: 'person_name',
        condition: 'equal_to',
        value: '$filtered_000000000000$',
      },
      'value',
      'unknown_handle',
    ],
    ['sort_data', { data_source: starts.person, key_name: 'person_name' }, 'ascending', 'missing'],
    [
      'sort_data',
      { data_source: starts.person, key_name: 'person_name', ascending: true, desc: 1 },
      'desc',
      'unknown_parameter',
    ],
    [
      'transform_data',
      {
        data_source: starts.person,
        key_name: 'person_name',
        operation_type: 'substring',
        operation_args: { start: 1 },
      },
      'operation_args.start_index',
      'missing',
    ],
    [
      'transform_data',
      {
        data_source: starts.person,
        key_name: 'person_name',
        operation_type: 'upper',
        new_key_name: 'person_id',
      },
      'new_key_name',
      'taken',
    ],
  ];
  it.each(cases)('%s %j', async (tool, args, field, code) => {
    const error = await bench.call(tool, args).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ToolError);
    expect((error as ToolError).errors.map((entry) => [entry.field, entry.code])).toContainEqual([
      field,
      code,
    ]);
  });
  it('suggests the column that was meant', async () => {
    const error = (await bench
      .call('filter_data', { data_source: starts.person, key_name: 'name', condition: 'is_null' })
      .catch((e: unknown) => e)) as ToolError;
    expect(error.errors[0]?.suggestions).toContain('person_name');
  });
});
