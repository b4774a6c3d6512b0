import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { Catalog } from '../../../contracts/catalog.ts';
import { getterKey, getterNames } from '../../../contracts/getters.ts';
import { operand, type StartTableDefinition } from '../../../contracts/tools.ts';
import { capital } from '../../../contracts/wording.ts';
import { parseArguments } from '../../base/arguments.ts';
import { columnField, handleField, newColumnField, type ToolDefinition } from './arguments.ts';
import { AGGREGATIONS, type Arity, CONDITIONS } from './conditions.ts';
import { argumentsSchema, OPERATIONS, ROW_OPERATIONS } from './operations.ts';
import { joinedTables } from './plan.ts';
import {
  aggregateData,
  calculate,
  combineResults,
  combineRows,
  describeColumns,
  describeGrouping,
  filterData,
  groupDataBy,
  joinData,
  ONE_WAY,
  retrieveData,
  selectColumns,
  selectUniqueValues,
  sortData,
  transformData,
  truncate,
} from './table-tools.ts';

/**
 * How the parts fit: a **tool** (table-tools.ts) makes a **plan** (plan.ts), an immutable tree whose **handle** is a hash
 * of its content, and never reads rows. `DomainTools` keeps plans by their handles, compile-plan.ts turns one into a
 * SELECT, and answer-plan.ts runs that for what the request wants to see. The SEL tools bind arguments of the SLOT tools,
 * and so make the same plans and handles. toolset-for.ts describes tools for the columns of a task.
 */

/** The SLOT tools by name; the first seven are the paper's. */
export const SLOT_TOOLS: Readonly<Record<string, ToolDefinition>> = Object.fromEntries(
  [
    filterData,
    sortData,
    groupDataBy,
    aggregateData,
    transformData,
    selectUniqueValues,
    retrieveData,
    truncate,
    selectColumns,
    combineRows,
    combineResults,
    joinData,
    calculate,
    describeColumns,
  ].map((tool) => [tool.name, tool]),
);

interface Binding {
  readonly name: string;
  readonly description: string;
  readonly slotTool: ToolDefinition;
  readonly args: Readonly<Record<string, z.ZodType | undefined>>;
  /** Builds the arguments of the SLOT tool from the open ones. */
  readonly toSlot: (args: Readonly<Record<string, unknown>>) => Record<string, unknown>;
}

/** A SLOT tool with some arguments bound, which makes the same plans and handles. */
export function boundTool(binding: Binding): ToolDefinition {
  const shape = Object.fromEntries(Object.entries(binding.args).filter(([, schema]) => schema !== undefined));
  return {
    name: binding.name,
    description: binding.description,
    ...(binding.slotTool.withoutRows ? { withoutRows: true } : {}),
    args: z.strictObject(shape as Record<string, z.ZodType>),
    plan: (args, scope) =>
      binding.slotTool.plan(
        parseArguments(binding.slotTool.args, withoutUndefined(binding.toSlot(args))),
        scope,
      ),
  };
}

export function shapeOf(tool: ToolDefinition): Readonly<Record<string, z.ZodType>> {
  return tool.args.shape as Record<string, z.ZodType>;
}

function withoutUndefined(args: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined));
}

/** A tool that reads one column of the start table, named by `getterNames`. */
export function getterTool(name: string, key: string, description: string | null): ToolDefinition {
  return boundTool({
    name,
    description: `Returns the column ${key}${description ? `: ${description}` : ''}. Values come in row order.`,
    slotTool: selToolsSlot('retrieve_data'),
    args: { data_source: handleField('the table to read'), offset: offsetField() },
    toSlot: (args) => ({ ...args, key_name: key, distinct: false, limit: -1 }),
  });
}

/** The offset at which to continue, since an answer shows a hundred values. */
function offsetField() {
  return z.number().int().min(0).optional().meta({ description: 'how many values to skip' });
}

/** The operand field of a condition, by arity. */
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

/** The SEL tools that do not depend on a start table, by name. */
export const SEL_TOOLS: Readonly<Record<string, ToolDefinition>> = Object.fromEntries(
  [
    ...filters(),
    ...sorts(),
    { ...selToolsSlot('group_data_by'), description: describeGrouping('a compute_data tool') },
    ...aggregates(),
    ...transforms(),
    selToolsSlot('select_unique_values'),
    computedColumn(),
    selToolsSlot('truncate'),
    selToolsSlot('select_columns'),
    ...choices('combine_rows', 'combination'),
    ...choices('combine_results', 'combination'),
    ...choices('join_data', 'join_type'),
    ...calculations(),
    selToolsSlot('describe_columns'),
  ].map((tool) => [tool.name, tool]),
);

function selToolsSlot(name: string): ToolDefinition {
  return SLOT_TOOLS[name] as ToolDefinition;
}

function filters(): ToolDefinition[] {
  const { data_source, key_name } = shapeOf(selToolsSlot('filter_data'));
  return Object.entries(CONDITIONS).map(([condition, { arity, description }]) =>
    boundTool({
      name: `select_data_${condition}`,
      description: `Keeps the rows of a table whose value in one column ${description}. Their order and columns stay the same.`,
      slotTool: selToolsSlot('filter_data'),
      args: { data_source, key_name, value: TEST_VALUES[arity] },
      toSlot: (args) => ({ ...args, condition }),
    }),
  );
}

function sorts(): ToolDefinition[] {
  const { data_source, key_name } = shapeOf(selToolsSlot('sort_data'));
  return [true, false].map((ascending) =>
    boundTool({
      name: ascending ? 'sort_data_ascending' : 'sort_data_descending',
      description: `Sorts a table by one column, ${ascending ? 'smallest' : 'largest'} value first. Rows with equal values keep their order.`,
      slotTool: selToolsSlot('sort_data'),
      args: { data_source, key_name },
      toSlot: (args) => ({ ...args, ascending }),
    }),
  );
}

function aggregates(): ToolDefinition[] {
  const { data_source, key_name, distinct } = shapeOf(selToolsSlot('aggregate_data'));
  const separator = z.string().optional().meta({ description: 'the text to put between the values' });
  return Object.entries(AGGREGATIONS).map(([aggregation_type, { description, perGroup }]) => {
    const column = aggregation_type === 'count' ? key_name : columnField('the column to aggregate');
    const shape = { data_source, key_name: column, distinct };
    const onGroups = perGroup
      ? 'On grouped data, adds a column with one value per group.'
      : 'Does not take grouped data.';
    return boundTool({
      name: `compute_data_${aggregation_type}`,
      description: `${asSentence(description)} ${onGroups}`,
      slotTool: selToolsSlot('aggregate_data'),
      args: aggregation_type === 'group_concat' ? { ...shape, separator } : shape,
      toSlot: (args) => ({ ...args, aggregation_type, limit: -1 }),
    });
  });
}

function transforms(): ToolDefinition[] {
  const { data_source, key_name } = shapeOf(selToolsSlot('transform_data'));
  return Object.entries(OPERATIONS).map(([operation_type, operation]) =>
    boundTool({
      name: `transform_data_to_${operation_type}`,
      description: `For each row, ${operation.description}. Replaces the column, or adds \`new_key_name\`.`,
      slotTool: selToolsSlot('transform_data'),
      args: { data_source, key_name, ...argumentsSchema(operation).shape, new_key_name: newColumnField() },
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
  const { input } = shapeOf(selToolsSlot('calculate'));
  return Object.entries(ROW_OPERATIONS).map(([operation_type, operation]) =>
    boundTool({
      name: `calculate_${operation_type}`,
      description: asSentence(operation.description),
      slotTool: selToolsSlot('calculate'),
      args: { input, ...argumentsSchema(operation).shape },
      toSlot: ({ input, ...operation_args }) => ({ input, operation_type, operation_args }),
    }),
  );
}

/** `sums the values` → `Sums the values.` */
function asSentence(predicate: string): string {
  return `${capital(predicate)}.`;
}

/** One tool per value of an enum argument. */
function choices(name: keyof typeof ONE_WAY, field: string): ToolDefinition[] {
  const tool = selToolsSlot(name);
  const { [field]: _choice, ...rest } = shapeOf(tool);
  return Object.entries(ONE_WAY[name]).map(([value, description]) =>
    boundTool({
      name: `${name}_${value}`,
      description,
      slotTool: tool,
      args: rest,
      toSlot: (args) => ({ ...args, [field]: value }),
    }),
  );
}

/** Reads columns without a getter: those made by earlier calls, and those of very wide tables. */
function computedColumn(): ToolDefinition {
  return boundTool({
    name: 'get_computed_column',
    description:
      'Returns the values of a column that has no getter of its own, in row order: one added by an earlier call, or any ' +
      'column of a very wide table.',
    slotTool: selToolsSlot('retrieve_data'),
    args: {
      data_source: handleField('the table to read'),
      key_name: columnField('the column to read'),
      offset: offsetField(),
    },
    toSlot: (args) => ({ ...args, distinct: false, limit: -1 }),
  });
}

/** Getters found before, by their name and the columns that they were found among: each is found by many calls. */
const getters = new LRUCache<string, ToolDefinition>({ max: 1000 });

/** Finds a SEL tool: a fixed one, or the getter of one of the given columns (those of the call's data source). */
export function findSelTool(name: string, keys: readonly string[]): ToolDefinition | undefined {
  if (Object.hasOwn(SEL_TOOLS, name)) return SEL_TOOLS[name];
  const among = JSON.stringify([name, keys]);
  const known = getters.get(among);
  if (known) return known;
  const key = getterKey(name, keys);
  if (key === undefined) return undefined;
  const getter = getterTool(name, key, null);
  getters.set(among, getter);
  return getter;
}

/** Maximum columns of a start table with getters; with more, a toolset would be mostly getters. */
const MAX_GETTERS = 100;

/** Whether the columns of a start table have getters. In a wider one, `get_computed_column` reads them all. */
export function hasGetters(definition: StartTableDefinition, catalog: Catalog): boolean {
  const tables = joinedTables(definition, catalog);
  return tables.reduce((sum, { table }) => sum + table.columns.length, 0) <= MAX_GETTERS;
}

export interface ToolColumn {
  readonly key: string;
  readonly description: string | null;
}

/** The tools of a formulation whose calls are tools on handles. */
export interface Toolbox {
  /** The tools of a task with these columns, in a fixed order; all but `describe_columns`. */
  offered(columns: readonly ToolColumn[]): readonly ToolDefinition[];
  /** Finds a tool. `keys` are the columns of the call's data source. */
  find(name: string, keys: readonly string[]): ToolDefinition | undefined;
  /** The callable names, for suggestions. */
  names(keys: readonly string[]): readonly string[];
  /** Whether some tools belong to columns, so that finding them requires a call's data source. */
  readonly madeForColumns: boolean;
}

/** General tools, whose arguments name columns and choices. */
export const slot: Toolbox = {
  offered: () => Object.values(SLOT_TOOLS).filter((tool) => tool !== describeColumns),
  find: (name) => (Object.hasOwn(SLOT_TOOLS, name) ? SLOT_TOOLS[name] : undefined),
  names: () => Object.keys(SLOT_TOOLS),
  madeForColumns: false,
};

/** One tool per choice, and a getter per column. */
export const sel: Toolbox = {
  offered(columns) {
    const names = getterNames(columns.map(({ key }) => key));
    return [
      ...Object.values(SEL_TOOLS).filter((tool) => tool !== describeColumns),
      ...columns.map(({ key, description }) => getterTool(names.get(key) as string, key, description)),
    ];
  },
  find: findSelTool,
  names: (keys) => [...Object.keys(SEL_TOOLS), ...getterNames(keys).values()],
  madeForColumns: true,
};

export const TOOLBOXES = { slot, sel } as const satisfies Record<string, Toolbox>;

export type ToolFormulation = keyof typeof TOOLBOXES;

export const TOOL_FORMULATIONS = Object.keys(TOOLBOXES) as [ToolFormulation, ...ToolFormulation[]];
