import { z } from 'zod';
import { operand } from '../../../../contracts/tools.ts';
import { columnField, handleField, newColumnField } from '../arguments/fields.ts';
import type { ToolDefinition } from '../arguments/tool-definition.ts';
import type { Operation } from '../operations/operation.ts';
import { OPERATIONS, ROW_OPERATIONS } from '../operations/operations.ts';
import { AGGREGATIONS } from '../plan/aggregations.ts';
import { type Arity, CONDITIONS } from '../plan/conditions.ts';
import { SLOT_TOOLS } from '../registry.ts';
import { boundTool, shapeOf } from './bound-tool.ts';

/** A tool that reads one column of the start table, under a name of `getterNames`. */
export function getterTool(name: string, key: string, description: string | null): ToolDefinition {
  return boundTool({
    name,
    description: `Answers the values of the column ${key} in row order${description ? `: ${description}` : ''}`,
    slotTool: slot('retrieve_data'),
    args: { data_source: handleField('the table to read'), offset: offsetField() },
    toSlot: (args) => ({ ...args, key_name: key, distinct: false, limit: -1 }),
  });
}

/** An answer shows a hundred values: where to go on. */
function offsetField() {
  return z
    .number()
    .int()
    .min(0)
    .optional()
    .meta({ description: 'how many values to leave out at the start' });
}

/** The operands of conditions, by the number of values they take. */
const TEST_VALUES: Readonly<Record<Arity, z.ZodType | undefined>> = {
  one: operand.meta({
    description:
      'what to compare with: a value, `$handle$` of an earlier result, or {"key_name": …} for another column',
  }),
  two: z.array(operand).length(2).meta({ description: '[low, high]' }),
  list: z
    .union([z.string(), z.array(operand)])
    .meta({ description: 'the values, or `$handle$` of a column result' }),
  none: undefined,
};

/** Every SEL tool that does not depend on a start table, by name. */
export const SEL_TOOLS: Readonly<Record<string, ToolDefinition>> = Object.fromEntries(
  [
    ...filters(),
    ...sorts(),
    slot('group_data_by'),
    ...aggregates(),
    ...transforms(),
    slot('select_unique_values'),
    computedColumn(),
    slot('truncate'),
    slot('select_columns'),
    ...choices('combine_rows', 'combination', (value) => `combine_rows_${value}`),
    ...choices('combine_results', 'combination', (value) => `combine_results_${value}`),
    ...choices('join_data', 'join_type', (value) => `join_data_${value}`),
    ...calculations(),
    slot('describe_columns'),
  ].map((tool) => [tool.name, tool]),
);

function slot(name: string): ToolDefinition {
  return SLOT_TOOLS[name] as ToolDefinition;
}

function filters(): ToolDefinition[] {
  const { data_source, key_name } = shapeOf(slot('filter_data'));
  return Object.entries(CONDITIONS).map(([condition, { arity, description }]) =>
    boundTool({
      name: `select_data_${condition}`,
      description: `Keeps the rows of a table whose value in one column ${description}. Row order and columns stay.`,
      slotTool: slot('filter_data'),
      args: { data_source, key_name, value: TEST_VALUES[arity] },
      toSlot: (args) => ({ ...args, condition }),
    }),
  );
}

function sorts(): ToolDefinition[] {
  const { data_source, key_name } = shapeOf(slot('sort_data'));
  return [true, false].map((ascending) =>
    boundTool({
      name: ascending ? 'sort_data_ascending' : 'sort_data_descending',
      description: `Sorts a table by one column, ${ascending ? 'smallest' : 'largest'} value first. The sort is stable.`,
      slotTool: slot('sort_data'),
      args: { data_source, key_name },
      toSlot: (args) => ({ ...args, ascending }),
    }),
  );
}

function aggregates(): ToolDefinition[] {
  const { data_source, key_name, distinct, separator } = shapeOf(slot('aggregate_data'));
  return Object.entries(AGGREGATIONS).map(([aggregation_type, { description }]) => {
    const shape = { data_source, key_name, distinct };
    return boundTool({
      name: `compute_data_${aggregation_type}`,
      description: `Computes ${description}, of a column; on grouped data for each group, as a further column.`,
      slotTool: slot('aggregate_data'),
      args: aggregation_type === 'group_concat' ? { ...shape, separator } : shape,
      toSlot: (args) => ({ ...args, aggregation_type, limit: -1 }),
    });
  });
}

function transforms(): ToolDefinition[] {
  const { data_source, key_name } = shapeOf(slot('transform_data'));
  return Object.entries(OPERATIONS).map(([operation_type, operation]) =>
    boundTool({
      name: `transform_data_to_${operation_type}`,
      description: `Computes for every row ${operation.description}; replaces the column by it, or makes a new one.`,
      slotTool: slot('transform_data'),
      args: { data_source, key_name, ...argumentShape(operation), new_key_name: newColumnField() },
      toSlot: ({ data_source, key_name, new_key_name, ...operation_args }) => ({
        data_source,
        key_name,
        operation_type,
        operation_args,
        ...(new_key_name === undefined ? {} : { new_key_name }),
      }),
    }),
  );
}

function calculations(): ToolDefinition[] {
  const { input } = shapeOf(slot('calculate'));
  return Object.entries(ROW_OPERATIONS).map(([operation_type, operation]) =>
    boundTool({
      name: `calculate_${operation_type}`,
      description: `Computes from one value ${operation.description}.`,
      slotTool: slot('calculate'),
      args: { input, ...argumentShape(operation) },
      toSlot: ({ input, ...operation_args }) => ({ input, operation_type, operation_args }),
    }),
  );
}

function argumentShape(operation: Operation): Record<string, z.ZodType> {
  return Object.fromEntries(Object.entries(operation.args).map(([name, { schema }]) => [name, schema]));
}

/** One tool for each value of an enum argument. */
function choices(name: string, field: string, nameOf: (value: string) => string): ToolDefinition[] {
  const tool = slot(name);
  const { [field]: choice, ...rest } = shapeOf(tool);
  return (choice as z.ZodEnum).options.map((value) =>
    boundTool({
      name: nameOf(String(value)),
      description: `${tool.description} Here: ${value}.`,
      slotTool: tool,
      args: rest,
      toSlot: (args) => ({ ...args, [field]: value }),
    }),
  );
}

/** Columns made by earlier calls have no getter of their own, nor have those of very wide tables. */
function computedColumn(): ToolDefinition {
  return boundTool({
    name: 'get_computed_column',
    description:
      'Answers the values, in row order, of a column that has no getter of its own: one that an earlier call has made, or ' +
      'any of a very wide table.',
    slotTool: slot('retrieve_data'),
    args: {
      data_source: handleField('the table to read'),
      key_name: columnField('the column to read'),
      offset: offsetField(),
    },
    toSlot: (args) => ({ ...args, distinct: false, limit: -1 }),
  });
}
