import { z } from 'zod';
import type { Catalog } from '../../../contracts/catalog.ts';
import { operand, startTableDefinition } from '../../../contracts/tools.ts';
import { fieldError } from '../../base/arguments.ts';
import {
  asList,
  columnField,
  columnsField,
  defineTool,
  handleField,
  newColumnField,
  readOperand,
  readOperationArguments,
  readTest,
  resolveColumn,
  resolveHandle,
  type Scope,
  testValueField,
} from './arguments.ts';
import { splitPath } from './compile-start.ts';
import { AGGREGATION_NAMES, aggregation, CONDITION_NAMES } from './conditions.ts';
import {
  OPERATION_NAMES,
  OPERATIONS,
  type Operation,
  operation,
  ROW_OPERATION_NAMES,
  ROW_OPERATIONS,
  withReferenceTime,
} from './operations.ts';
import {
  type Aggregate,
  type AggregatePlan,
  type CalculatePlan,
  type ColumnPlan,
  type CombinePlan,
  catalogTable,
  type DescribePlan,
  describeColumn,
  type FilterPlan,
  type GroupAggregatePlan,
  type GroupPlan,
  groupingOf,
  type JoinPlan,
  makePlan,
  type Plan,
  type PlanColumn,
  type Predicate,
  type SelectPlan,
  type SortPlan,
  type StartPlan,
  startColumns,
  type TablePlan,
  type TransformPlan,
  type TruncatePlan,
  type UniquePlan,
  uniqueKey,
} from './plan.ts';

export const initializeActiveData = defineTool({
  name: 'initialize_active_data',
  description:
    'Joins tables of the database into the start table of a task. This is the preparation of a task rather than ' +
    'part of its answer: the start tables of a farm have their handles already.',
  args: z.strictObject(startTableDefinition.shape),
  plan: (definition, scope) => startPlan(definition, scope),
});

/** The plan of a start table. Throws ArgumentError for tables, aliases and columns that do not exist. */
export function startPlan(
  definition: z.output<typeof startTableDefinition>,
  scope: Pick<Scope, 'catalog'>,
): StartPlan {
  const dict = definition.alias_to_table_dict;
  const tables = Object.values(dict);
  if (tables.length === 0) throw fieldError('alias_to_table_dict', 'missing', 'a start table needs a table');
  const columns = startColumns(definition, scope.catalog).map(({ key, origin }) => ({ key, origin }));
  definition.condition_sequence.forEach((condition, i) => {
    for (const path of condition.slice(0, 2)) {
      const { alias, column } = splitPath(path);
      const field = `condition_sequence[${i}]`;
      const table = dict[alias];
      if (!table) throw fieldError(field, 'unknown_table', `${path} names no alias of alias_to_table_dict`);
      const known = catalogTable(scope.catalog, table.original_table_name).columns;
      const found = known.some(({ name }) => name.toLowerCase() === column.toLowerCase());
      if (!found)
        throw fieldError(field, 'unknown_column', `${table.original_table_name} has no column ${column}`);
    }
  });
  const word = `start_${tables.map((table) => table.modified_table_name).join('_')}`;
  return makePlan<StartPlan>(word, { op: 'start', columns, definition });
}

export const describeColumns = defineTool({
  name: 'describe_columns',
  description:
    'Answers the columns of a table as texts: the name that other tools take, its type, and what it means. With ' +
    '`search` those in which every word is found. Of a table with hundreds of columns, keep those you need by ' +
    'select_columns.',
  args: z.strictObject({
    data_source: handleField('the table to describe'),
    search: z.string().max(200).default('').meta({
      description: 'words, or parts of words, of the name or the meaning; all columns unless given',
    }),
    offset: z
      .number()
      .int()
      .min(0)
      .default(0)
      .meta({ description: 'how many columns to leave out at the start' }),
  }),
  plan: (args, scope) => {
    const input = resolveHandle(args.data_source, 'data_source', scope);
    const words = args.search
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== '');
    const lines = input.columns
      .map((column) => describe(column, scope.catalog))
      .filter((line) => words.every((word) => line.toLowerCase().includes(word)))
      .slice(args.offset);
    const columns = [{ key: 'columns', origin: null }];
    return makePlan<DescribePlan>('columns', { op: 'describe', columns, input, lines });
  },
});

function describe({ key, origin }: PlanColumn, catalog: Catalog): string {
  const table = catalog.tables.find(({ name }) => name === origin?.table);
  const column = table?.columns.find(({ name }) => name === origin?.column);
  if (!column) return `${key}: made by an earlier call`;
  const meaning = describeColumn(column);
  return `${key} (${column.type})${meaning ? `: ${meaning}` : ''}`;
}

export const filterData = defineTool({
  name: 'filter_data',
  description:
    'Keeps the rows of a table for which a condition on one column is true. Row order and columns stay. ' +
    'On grouped data it keeps groups. Filters in a row all have to hold.',
  args: z.strictObject({
    data_source: handleField('the table to filter'),
    key_name: columnField('the column to look at'),
    value: testValueField(
      'what to compare with: a value, `$handle$` of an earlier result, or {"key_name": …} for another column; ' +
        '[low, high] for between; a list or a column result for in; nothing for is_null',
    ),
    condition: z.enum(CONDITION_NAMES).meta({ description: 'how to compare' }),
  }),
  plan: (args, scope) => {
    const input = resolveHandle(args.data_source, 'data_source', scope);
    const { key } = resolveColumn(input, args.key_name, 'key_name');
    const test = readTest(args.condition, args.value, 'value', input, scope);
    const predicate = { kind: 'test', key, test } as const;
    return makePlan<FilterPlan>('filtered', { op: 'filter', columns: input.columns, input, predicate });
  },
});

export const sortData = defineTool({
  name: 'sort_data',
  description:
    'Sorts a table by one column. The sort is stable: rows with equal values keep their order, so to sort by ' +
    'several columns sort by the least important first. NULL is smaller than every value. Groups that tie come ' +
    'in the order of their group columns, in the direction of the sort (but upwards by a primary key).',
  args: z.strictObject({
    data_source: handleField('the table to sort'),
    key_name: columnField('the column to sort by'),
    ascending: z.boolean().meta({ description: 'true: smallest first; false: largest first' }),
  }),
  plan: (args, scope) => {
    const input = resolveHandle(args.data_source, 'data_source', scope);
    const { key } = resolveColumn(input, args.key_name, 'key_name');
    return makePlan<SortPlan>('sorted', {
      op: 'sort',
      columns: input.columns,
      input,
      key,
      ascending: args.ascending,
    });
  },
});

export const selectUniqueValues = defineTool({
  name: 'select_unique_values',
  description:
    'Answers the values of a column result once each, where they first stand. Of a table it keeps the first of ' +
    'all rows that are equal in the given columns, or in every column if none are given. Row order and columns stay.',
  args: z.strictObject({
    unique_array: handleField('a column result or a table'),
    key_name: columnsField('a table: the column or columns in which rows are equal').optional(),
  }),
  plan: (args, scope) => {
    const input = resolveHandle(args.unique_array, 'unique_array', scope);
    const { columns } = input;
    if (args.key_name !== undefined) {
      const keys = asList(args.key_name).map((name) => resolveColumn(input, name, 'key_name').key);
      if (keys.length === 0) throw fieldError('key_name', 'missing', 'key_name must name a column');
      return makePlan<UniquePlan>('unique', { op: 'unique', columns, input, keys });
    }
    if (input.op !== 'column') return makePlan<UniquePlan>('unique', { op: 'unique', columns, input });
    const [key, rest] = [input.key, { distinct: true, limit: -1, offset: 0 }];
    return makePlan<ColumnPlan>(key, { op: 'column', columns, input, key, ...rest });
  },
});

export const truncate = defineTool({
  name: 'truncate',
  description:
    'Keeps the first `n` rows of a table, or the first `n` values of a column result, after `offset`.',
  args: z.strictObject({
    truncate_array: handleField('a table or a column result'),
    n: z.number().int().min(0).meta({ description: 'how many to keep' }),
    offset: z.number().int().min(0).default(0).meta({ description: 'how many to leave out at the start' }),
  }),
  plan: (args, scope) => {
    const input = resolveHandle(args.truncate_array, 'truncate_array', scope);
    const { n, offset } = args;
    if (input.op !== 'column') {
      return makePlan<TruncatePlan>('truncated', {
        op: 'truncate',
        columns: input.columns,
        input,
        n,
        offset,
      });
    }
    const rest = { key: input.key, distinct: false, limit: n, offset };
    return makePlan<ColumnPlan>(input.key, { op: 'column', columns: input.columns, input, ...rest });
  },
});

export const selectColumns = defineTool({
  name: 'select_columns',
  description:
    'Keeps only some columns of a table, in the order given. Grouped data becomes a plain table of its groups.',
  args: z.strictObject({
    data_source: handleField('the table'),
    key_name: columnsField('the column or columns to keep'),
  }),
  plan: (args, scope) => {
    const input = resolveHandle(args.data_source, 'data_source', scope);
    const columns = asList(args.key_name).map((name) => resolveColumn(input, name, 'key_name'));
    const keys = columns.map((column) => column.key);
    if (keys.length === 0) throw fieldError('key_name', 'missing', 'key_name must name a column');
    if (new Set(keys).size < keys.length)
      throw fieldError('key_name', 'repeated', 'key_name names a column twice');
    return makePlan<SelectPlan>('selected', { op: 'select', columns, input, keys });
  },
});

export const retrieveData = defineTool({
  name: 'retrieve_data',
  description:
    'Answers the values of one column in row order. Several columns of one table line up row by row. With ' +
    '`distinct` equal values are given once, where they first stand; `offset` and `limit` come after that. An answer ' +
    'shows 100 values; where it says `truncated`, repeat the call with a higher `offset` to see the next ones. The ' +
    'result itself always holds all of them.',
  args: z.strictObject({
    data_source: handleField('the table to read'),
    key_name: columnField('the column to read'),
    distinct: z.boolean().default(false).meta({ description: 'true: equal values once' }),
    limit: z.number().int().min(-1).default(-1).meta({ description: 'how many values at most; -1: all' }),
    offset: z
      .number()
      .int()
      .min(0)
      .default(0)
      .meta({ description: 'how many values to leave out at the start' }),
  }),
  plan: (args, scope) => {
    const input = resolveHandle(args.data_source, 'data_source', scope);
    const column = resolveColumn(input, args.key_name, 'key_name');
    const { distinct, limit, offset } = args;
    const columns = [column];
    return makePlan<ColumnPlan>(column.key, {
      op: 'column',
      columns,
      input,
      key: column.key,
      distinct,
      limit,
      offset,
    });
  },
});

export const groupDataBy = defineTool({
  name: 'group_data_by',
  description:
    'Groups the rows that are equal in the given columns: one row a group, in the order of these columns. ' +
    'aggregate_data on the result adds a column with one value a group. Other columns have the value of one ' +
    'row of the group: the row with the extreme value of the last min or max that is added right after grouping, else ' +
    'the first. An empty list of columns makes one group of all rows.',
  args: z.strictObject({
    data_source: handleField('the table to group'),
    key_name: columnsField('the column or columns whose values make a group'),
  }),
  plan: (args, scope) => {
    const input = resolveHandle(args.data_source, 'data_source', scope);
    const keys = asList(args.key_name).map((name) => resolveColumn(input, name, 'key_name').key);
    return makePlan<GroupPlan>('grouped', { op: 'group', columns: input.columns, input, keys });
  },
});

const ALL_ROWS = '*';

export const aggregateData = defineTool({
  name: 'aggregate_data',
  description:
    'Computes one value from a column: min, max, sum, mean, count, … On grouped data it computes one value a ' +
    'group and answers the groups with a further column named `<aggregation>_<column>`, so that several can ' +
    'be added.',
  args: z.strictObject({
    data_source: handleField('a table, a column result, or grouped data'),
    key_name: columnField('the column to aggregate; `*` with count counts rows').meta({ 'x-all-rows': true }),
    aggregation_type: z.enum(AGGREGATION_NAMES).meta({ description: 'what to compute' }),
    distinct: z.boolean().default(false).meta({ description: 'true: equal values count once' }),
    limit: z
      .number()
      .int()
      .min(-1)
      .default(-1)
      .meta({ description: 'how many rows at most are looked at, in row order; -1: all' }),
    separator: z.string().optional().meta({ description: 'group_concat: what stands between the values' }),
  }),
  plan: (args, scope) => {
    const input = resolveHandle(args.data_source, 'data_source', scope);
    const type = args.aggregation_type;
    const group = groupingOf(input);
    const key =
      args.key_name === ALL_ROWS ? null : resolveColumn(group?.input ?? input, args.key_name, 'key_name').key;
    if (key === null && (type !== 'count' || args.distinct)) {
      throw fieldError('key_name', 'wrong_type', 'only count, and not of distinct values, takes *');
    }
    if (args.separator !== undefined && (type !== 'group_concat' || args.distinct)) {
      throw fieldError(
        'separator',
        'wrong_type',
        'only group_concat, and not of distinct values, takes a separator',
      );
    }
    const aggregate: Aggregate = { key, type, distinct: args.distinct, separator: args.separator ?? null };
    const name = `${type}_${args.distinct ? 'distinct_' : ''}${key ?? 'rows'}`;
    if (!group) {
      const columns = [{ key: uniqueKey(name, new Set()), origin: null }];
      return makePlan<AggregatePlan>(type, { op: 'aggregate', columns, input, aggregate, limit: args.limit });
    }
    if (!aggregation(type).perGroup) {
      throw fieldError('aggregation_type', 'wrong_type', `${type} is not computed for groups`);
    }
    if (args.limit !== -1) throw fieldError('limit', 'wrong_type', 'limit is not for grouped data');
    const target = uniqueKey(name, new Set(input.columns.map((column) => column.key.toLowerCase())));
    return makePlan<GroupAggregatePlan>('grouped', {
      op: 'group_aggregate',
      columns: [...input.columns, { key: target, origin: null }],
      input: input as TablePlan,
      aggregate,
      target,
    });
  },
});

const TYPES = ['inner', 'left', 'semi', 'anti'] as const;

export const joinData = defineTool({
  name: 'join_data',
  description:
    'Joins two tables on equal columns. inner: every pair of rows that agree, with the columns of both (a name ' +
    'that both have is numbered); left: also the rows of the first without a partner, with NULL for the other ' +
    'columns; semi: the rows of the first that have a partner; anti: those that have none. Empty lists of ' +
    'columns pair every row with every row.',
  args: z.strictObject({
    data_source: handleField('the first table'),
    other_data_source: handleField('the second table'),
    key_name: columnsField('the column or columns of the first table'),
    other_key_name: columnsField('as many of the second table, in the same order'),
    join_type: z.enum(TYPES).meta({ description: 'which rows to keep' }),
  }),
  plan: (args, scope) => {
    const input = resolveHandle(args.data_source, 'data_source', scope);
    const other = resolveHandle(args.other_data_source, 'other_data_source', scope);
    const keys = asList(args.key_name).map((name) => resolveColumn(input, name, 'key_name').key);
    const otherKeys = asList(args.other_key_name).map(
      (name) => resolveColumn(other, name, 'other_key_name').key,
    );
    if (keys.length !== otherKeys.length) {
      throw fieldError('other_key_name', 'wrong_type', 'key_name and other_key_name must be equally many');
    }
    const type = args.join_type;
    if (type === 'semi' || type === 'anti') {
      const partner: Predicate = { kind: 'partner', other, keys, otherKeys };
      const predicate: Predicate = type === 'semi' ? partner : { kind: 'not', of: partner };
      return makePlan<FilterPlan>('filtered', { op: 'filter', columns: input.columns, input, predicate });
    }
    const columns = bothColumns(input.columns, other.columns);
    return makePlan<JoinPlan>('joined', { op: 'join', columns, input, other, keys, otherKeys, type });
  },
});

function bothColumns(first: readonly PlanColumn[], second: readonly PlanColumn[]): PlanColumn[] {
  const taken = new Set(first.map((column) => column.key.toLowerCase()));
  return [...first, ...second.map(({ key, origin }) => ({ key: uniqueKey(key, taken), origin }))];
}

const COMBINATIONS = ['or', 'and', 'and_not'] as const;

export const combineRows = defineTool({
  name: 'combine_rows',
  description:
    'Combines two filtered versions of the same table row by row: or (rows kept in either, each once), and ' +
    '(rows kept in both), and_not (rows kept in the first but not in the second). The order is that of the table ' +
    'they were filtered from.',
  args: z.strictObject({
    data_source: handleField('a table after some filters'),
    other_data_source: handleField('the same table after other filters'),
    combination: z.enum(COMBINATIONS).meta({ description: 'which rows to keep' }),
  }),
  plan: (args, scope) => {
    const first = resolveHandle(args.data_source, 'data_source', scope);
    const second = resolveHandle(args.other_data_source, 'other_data_source', scope);
    const input = commonTable(first, second);
    if (!input) {
      const message = `${first.handle} and ${second.handle} are not the same table after different filters`;
      throw fieldError('other_data_source', 'wrong_type', message);
    }
    const [a, b] = [filtersSince(input, first), filtersSince(input, second)];
    const predicate: Predicate =
      args.combination === 'or'
        ? { kind: 'any', of: [a, b] }
        : { kind: 'all', of: [a, args.combination === 'and' ? b : { kind: 'not', of: b }] };
    return makePlan<FilterPlan>('filtered', { op: 'filter', columns: input.columns, input, predicate });
  },
});

/** The latest table from which both derive by filters and sorts alone. */
function commonTable(first: Plan, second: Plan): Plan | null {
  const above = new Set(lineage(first).map((plan) => plan.handle));
  return lineage(second).find((plan) => above.has(plan.handle)) ?? null;
}

function lineage(plan: Plan): Plan[] {
  return plan.op === 'filter' || plan.op === 'sort' ? [plan, ...lineage(plan.input)] : [plan];
}

function filtersSince(table: Plan, plan: Plan): Predicate {
  const of: Predicate[] = [];
  for (let at = plan; at.handle !== table.handle && (at.op === 'filter' || at.op === 'sort'); at = at.input) {
    if (at.op === 'filter') of.unshift(at.predicate);
  }
  return of.length === 1 ? (of[0] as Predicate) : { kind: 'all', of };
}

const COMBINE_RESULTS_COMBINATIONS = ['union', 'union_all', 'intersect', 'except'] as const;

export const combineResults = defineTool({
  name: 'combine_results',
  description:
    'Combines two results by their values, column by column in order: union (rows of either, equal rows once), ' +
    'union_all (all rows of the first, then all of the second), intersect (rows in both, once), except (rows ' +
    'of the first that are not in the second, once). Except for union_all the rows come sorted by their values. ' +
    'The columns are called as in the first.',
  args: z.strictObject({
    data_source: handleField('a table, a column result or a value'),
    other_data_source: handleField('another one with as many columns'),
    combination: z.enum(COMBINE_RESULTS_COMBINATIONS).meta({ description: 'how to combine' }),
  }),
  plan: (args, scope) => {
    const input = resolveHandle(args.data_source, 'data_source', scope);
    const other = resolveHandle(args.other_data_source, 'other_data_source', scope);
    if (input.columns.length !== other.columns.length) {
      const message = `${input.handle} has ${input.columns.length} columns, ${other.handle} has ${other.columns.length}`;
      throw fieldError('other_data_source', 'wrong_type', message);
    }
    const { combination } = args;
    const columns = input.columns.map(({ key }) => ({ key, origin: null }));
    return makePlan<CombinePlan>(combination, { op: 'combine', columns, input, other, combination });
  },
});

/**
 * The field `operation_args` of a tool with several operations: all arguments of all operations, all optional. Parsing
 * a call checks which ones its operation needs.
 */
export function operationArgumentsField(operations: Readonly<Record<string, Operation>>) {
  const shape: Record<string, z.ZodType> = {};
  for (const operation of Object.values(operations)) {
    for (const [name, spec] of Object.entries(operation.args)) {
      // Where `value` is a list in some operations, the wider schema wins.
      if (!(name in shape) || spec.kind === 'test_value') shape[name] = spec.schema.optional();
    }
  }
  return z.looseObject(shape).default({}).meta({ description: 'the arguments of the operation' });
}

/** `(operand, reverse?): add – the sum …; subtract – …. no arguments: upper – …`, grouped by arguments. */
export function describeOperations(operations: Readonly<Record<string, Operation>>): string {
  return byArguments(operations, (name, description) => `${name} – ${description}`, '; ');
}

/** `(operand, reverse?): add, subtract. no arguments: upper, lower` */
export function nameOperations(operations: Readonly<Record<string, Operation>>): string {
  return byArguments(operations, (name) => name, ', ');
}

function byArguments(
  operations: Readonly<Record<string, Operation>>,
  say: (name: string, description: string) => string,
  separator: string,
): string {
  const groups = new Map<string, string[]>();
  for (const [name, { args, description }] of Object.entries(operations)) {
    const taken = describeArguments(args);
    groups.set(taken, [...(groups.get(taken) ?? []), say(name, description)]);
  }
  return [...groups].map(([taken, said]) => `${taken}: ${said.join(separator)}`).join('. ');
}

function describeArguments(args: Operation['args']): string {
  const names = Object.entries(args).map(([name, { optional }]) => (optional ? `${name}?` : name));
  return names.length === 0 ? 'no arguments' : `(${names.join(', ')})`;
}

export const transformData = defineTool({
  name: 'transform_data',
  description:
    'Computes a new value for every row from one column and replaces the column by it, or puts it into a new ' +
    'column.',
  args: z.strictObject({
    data_source: handleField('the table to change'),
    key_name: columnField('the column to compute from'),
    operation_type: z
      .enum(OPERATION_NAMES)
      .meta({ description: `what to compute: ${describeOperations(OPERATIONS)}` }),
    operation_args: operationArgumentsField(OPERATIONS),
    new_key_name: newColumnField(),
  }),
  plan: (args, scope) => {
    const input = resolveHandle(args.data_source, 'data_source', scope);
    const { key, origin } = resolveColumn(input, args.key_name, 'key_name');
    const name = args.operation_type;
    const given = readOperationArguments(
      operation(name),
      args.operation_args,
      'operation_args',
      input,
      scope,
    );
    // A stored date does not depend on the clock.
    const read = origin ? given : withReferenceTime(name, given, scope.referenceTime);
    const target = args.new_key_name ?? key;
    const taken = input.columns.some((column) => column.key.toLowerCase() === target.toLowerCase());
    if (args.new_key_name !== undefined && taken) {
      throw fieldError('new_key_name', 'taken', `${input.handle} already has a column ${target}`);
    }
    const made = { key: target, origin: null };
    const columns = taken
      ? input.columns.map((column) => (column.key === key ? made : column))
      : [...input.columns, made];
    return makePlan<TransformPlan>('transformed', {
      op: 'transform',
      columns,
      input,
      key,
      target,
      operation: name,
      args: read,
    });
  },
});

export const calculate = defineTool({
  name: 'calculate',
  withoutRows: true,
  description: 'Computes one value from another, such as the quotient of two earlier results.',
  args: z.strictObject({
    input: operand.meta({ description: 'a value, or `$handle$` of an earlier result' }),
    operation_type: z
      .enum(ROW_OPERATION_NAMES)
      .meta({ description: `what to compute, as transform_data does: ${nameOperations(ROW_OPERATIONS)}` }),
    operation_args: operationArgumentsField(ROW_OPERATIONS),
  }),
  plan: (args, scope) => {
    const name = args.operation_type;
    const value = readOperand(args.input, 'input', null, scope);
    const given = readOperationArguments(operation(name), args.operation_args, 'operation_args', null, scope);
    const read = withReferenceTime(name, given, scope.referenceTime);
    const columns = [{ key: name, origin: null }];
    return makePlan<CalculatePlan>('value', { op: 'calculate', columns, value, operation: name, args: read });
  },
});
