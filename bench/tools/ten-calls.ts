import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { farm as farmSchema } from '../../contracts/farm.ts';
import type { Call, Sample } from '../../contracts/sample.ts';
import { type Service, service as serviceSchema } from '../../contracts/service.ts';
import type { StartTable } from '../../contracts/tools.ts';
import { catalogTable, startColumns } from '../../services/domain/tools/plan.ts';

/**
 * A task of ten calls on the start table with most rows of each domain: filters, a computed column, groups with two
 * aggregates, a filter and a sort of the groups, and two columns read. The task is meaningless, but reads every row.
 */
export function tenCallTasks(farm: string, template: Sample): Sample[] {
  const { domains } = farmSchema.parse(JSON.parse(readFileSync(join(farm, 'farm.json'), 'utf8')));
  return domains.flatMap(({ db }) => {
    const service = serviceSchema.parse(
      JSON.parse(readFileSync(join(farm, 'services', `${db}.json`), 'utf8')),
    );
    const table = largest(service);
    return table ? [{ ...template, ...taskOn(table, service) }] : [];
  });
}

function largest({ start_tables, catalog }: Service): StartTable | undefined {
  const rows = (table: StartTable) =>
    Math.max(
      ...Object.values(table.alias_to_table_dict).map(
        (names) => catalogTable(catalog, names.original_table_name).rows,
      ),
    );
  return [...start_tables].sort((a, b) => rows(b) - rows(a))[0];
}

function taskOn(table: StartTable, { split, db, catalog }: Service): Partial<Sample> {
  const columns = startColumns(table, catalog).map(({ key, origin }) => {
    const column = catalogTable(catalog, origin.table).columns.find(({ name }) => name === origin.column);
    return { key, type: column?.type ?? 'string', distinct: column?.statistics.distinct ?? 0 };
  });
  const numbers = columns.filter(({ type, distinct }) => type !== 'string' && distinct > 1);
  const number = (numbers[0] ?? columns[0])?.key as string;
  const other = (numbers[1] ?? columns[0])?.key as string;
  const few =
    [...columns].filter(({ distinct }) => distinct > 1).sort((a, b) => a.distinct - b.distinct)[0]?.key ??
    number;
  const on = (label: string) => ({ data_source: `$${label}$` });
  const calls: [name: string, args: Record<string, unknown>][] = [
    ['filter_data', { ...on('start'), key_name: number, condition: 'is_not_null' }],
    ['filter_data', { ...on('1'), key_name: few, condition: 'not_equal_to', value: 'no such value' }],
    [
      'transform_data',
      {
        ...on('2'),
        key_name: number,
        operation_type: 'add',
        operation_args: { operand: { key_name: other } },
        new_key_name: 'both',
      },
    ],
    ['group_data_by', { ...on('3'), key_name: few }],
    ['aggregate_data', { ...on('4'), key_name: '*', aggregation_type: 'count' }],
    ['aggregate_data', { ...on('5'), key_name: 'both', aggregation_type: 'mean' }],
    ['filter_data', { ...on('6'), key_name: 'count_rows', condition: 'greater_than', value: 0 }],
    ['sort_data', { ...on('7'), key_name: 'count_rows', ascending: false }],
    ['retrieve_data', { ...on('8'), key_name: few, limit: 10 }],
    ['retrieve_data', { ...on('8'), key_name: 'mean_both', limit: 10 }],
  ];
  const { handle: _handle, ...definition } = table;
  return {
    sample_id: `${split}/${db}/ten/slot`,
    dataset_name: db,
    formulation: 'slot',
    initialization_step: { name: 'initialize_active_data', arguments: definition, label: 'start' },
    output: calls.map(([name, args], i): Call => ({ name, arguments: args, label: String(i + 1) })),
  };
}
