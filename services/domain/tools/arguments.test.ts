import { describe, expect, it } from 'vitest';
import { ArgumentError } from '../../base/arguments.ts';
import { bench, starts } from '../../testing/tool-bench.ts';

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
      'filter_data',
      { data_source: starts.person, key_name: 'person_name', condition: 'equal_to', value: starts.person },
      'value',
      'wrong_type',
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
    expect(error).toBeInstanceOf(ArgumentError);
    expect((error as ArgumentError).errors.map((entry) => [entry.field, entry.code])).toContainEqual([
      field,
      code,
    ]);
  });
  it('suggests the nearest column', async () => {
    const error = (await bench
      .call('filter_data', { data_source: starts.person, key_name: 'name', condition: 'is_null' })
      .catch((e: unknown) => e)) as ArgumentError;
    expect(error.errors[0]?.suggestions).toContain('person_name');
  });
});
