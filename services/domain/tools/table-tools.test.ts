import { describe, expect, it } from 'vitest';
import { aggregate, filter, get, rowsOf, run, type Step } from '../../testing/tool-bench.ts';

describe('start tables', () => {
  it('keep the rows of the first table in order, then those of the second', async () => {
    const rows = await run(get('lived', 'person_id'), get('lived', 'city_name'));
    expect(rows).toEqual(
      rowsOf('SELECT p.id, c.name FROM person p LEFT JOIN city c ON p.city_id = c.id ORDER BY p.id'),
    );
  });
  it('order rows without row ids by primary key', async () => {
    expect(await run(get('pair', 'pair_k'), get('pair', 'pair_n'))).toEqual(
      rowsOf('SELECT k, n FROM pair ORDER BY k, n'),
    );
  });
});

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

  it('accepts an earlier value, and the first of an earlier column', async () => {
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

  it('accepts an earlier column as a list', async () => {
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

  it('rejects a reference to an unknown result instead of treating it as text', async () => {
    for (const value of ['$nobody$', '$nobody.rows[0]$']) {
      await expect(run(filter('person', 'person_name', 'equal_to', value))).rejects.toThrow(
        'there is no result',
      );
    }
    for (const text of ['$5 or less$', '$', '$$', 'US$']) {
      expect(await run(filter('person', 'person_name', 'equal_to', text), get(0, 'person_id'))).toEqual([]);
    }
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

describe('retrieve_data', () => {
  it('gives distinct values by first occurrence, then offset and limit', async () => {
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
