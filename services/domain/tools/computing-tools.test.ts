import { describe, expect, it } from 'vitest';
import { aggregate, filter, get, rowsOf, run, transform } from '../../testing/tool-bench.ts';

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
    // No name is JSON, which stops a query; a CASE that would keep it from doing so is a later call.
    ['person_name', 'json_extract', { path: '$.a' }, 'NULL'],
    ['person_name', 'json_extract', { part: 'length' }, 'NULL'],
    ['person_name', 'json_extract', { part: 'valid' }, 'json_valid(name)'],
    ['person_id', 'json_extract', {}, 'id'],
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
  it('filters outside a window: ranks refer to the unfiltered table', async () => {
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
