import { z } from 'zod';
import type { Catalog } from '../../../contracts/catalog.ts';
import { operand, startTableDefinition } from '../../../contracts/tools.ts';
import { fieldError, mapValues } from '../../base/arguments.ts';
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

const limitField = (description: string) => z.number().int().min(-1).default(-1).meta({ description });
const offsetField = (description: string) => z.number().int().min(0).default(0).meta({ description });

export const initializeActiveData = defineTool({
  name: 'initialize_active_data',
  description:
    'Joins tables of the database into a start table. This sets up a task and is not part of answering it: the start ' +
    'tables of a farm already have handles.',
  args: z.strictObject(startTableDefinition.shape),
  plan: (definition, scope) => startPlan(definition, scope),
});

/** The plan of a start table. Throws ArgumentError for tables, aliases and columns that do not exist. */
export function startPlan(definition: z.output<typeof startTableDefinition>, scope: Pick<Scope, 'catalog'>) {
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
    'Lists the columns of a table: the name to use in other tools, the type and the meaning of each. With `search`, only ' +
    'columns in which every word occurs. If a table has hundreds of columns, keep the ones you need with select_columns.',
  args: z.strictObject({
    data_source: handleField('the table to describe'),
    search: z.string().max(200).default('').meta({
      description: 'words, or parts of words, to look for in names and meanings; all columns by default',
    }),
    offset: offsetField('how many columns to skip'),
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
    'Keeps the rows of a table that meet a condition on one column. Their order and columns stay the same. On grouped ' +
    'data it keeps groups. When filters are chained, all of them must hold.',
  args: z.strictObject({
    data_source: handleField('the table to filter'),
    key_name: columnField('the column to test'),
    value: testValueField(
      'what to compare with: a value, `$handle$` of an earlier result, or {"key_name": …} for another column; ' +
        '[low, high] for between; a list or a column result for in; omit it for is_null',
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
    'Sorts a table by one column. The sort is stable: rows with equal values keep their order, so to sort by several ' +
    'columns, start with the least important. NULL sorts before any value. Groups that tie are ordered by their group ' +
    'columns in the direction of the sort, but always ascending if the group column is a primary key.',
  args: z.strictObject({
    data_source: handleField('the table to sort'),
    key_name: columnField('the column to sort by'),
    ascending: z.boolean().meta({ description: 'true for smallest first, false for largest first' }),
  }),
  plan: (args, scope) => {
    const input = resolveHandle(args.data_source, 'data_source', scope);
    const { key } = resolveColumn(input, args.key_name, 'key_name');
    const [{ columns }, { ascending }] = [input, args];
    return makePlan<SortPlan>('sorted', { op: 'sort', columns, input, key, ascending });
  },
});

export const selectUniqueValues = defineTool({
  name: 'select_unique_values',
  description:
    'Removes duplicates. Of a column result it keeps the first occurrence of each value; of a table, the first of the ' +
    'rows that are equal in the given columns, or in every column if none are given. The order stays the same.',
  args: z.strictObject({
    unique_array: handleField('the column result or table to remove duplicates from'),
    key_name: columnsField('for a table: the column or columns to compare').optional(),
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
    'Keeps `n` rows of a table, or `n` values of a column result, after skipping `offset` of them.',
  args: z.strictObject({
    truncate_array: handleField('the table or column result to cut'),
    n: z.number().int().min(0).meta({ description: 'how many to keep' }),
    offset: offsetField('how many to skip'),
  }),
  plan: (args, scope) => {
    const input = resolveHandle(args.truncate_array, 'truncate_array', scope);
    const { n, offset } = args;
    const { columns } = input;
    if (input.op !== 'column')
      return makePlan<TruncatePlan>('truncated', { op: 'truncate', columns, input, n, offset });
    const rest = { key: input.key, distinct: false, limit: n, offset };
    return makePlan<ColumnPlan>(input.key, { op: 'column', columns, input, ...rest });
  },
});

export const selectColumns = defineTool({
  name: 'select_columns',
  description:
    'Keeps only the given columns of a table, in the given order. Grouped data becomes a plain table with one row per group.',
  args: z.strictObject({
    data_source: handleField('the table to take columns from'),
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
    'Returns the values of one column, in row order, so that several columns of a table line up row by row. With ' +
    '`distinct`, each value appears once, at its first occurrence; `offset` and `limit` apply after that. An answer shows ' +
    'up to 100 values; if it says `truncated`, call again with a higher `offset` to see the next ones. The result itself ' +
    'always holds all of them.',
  args: z.strictObject({
    data_source: handleField('the table to read'),
    key_name: columnField('the column to read'),
    distinct: z.boolean().default(false).meta({ description: 'true to return each value once' }),
    limit: limitField('the maximum number of values to return; -1 for all'),
    offset: offsetField('how many values to skip'),
  }),
  plan: (args, scope) => {
    const input = resolveHandle(args.data_source, 'data_source', scope);
    const column = resolveColumn(input, args.key_name, 'key_name');
    const { distinct, limit, offset } = args;
    const [columns, { key }] = [[column], column];
    return makePlan<ColumnPlan>(key, { op: 'column', columns, input, key, distinct, limit, offset });
  },
});

/** `aggregate` is the tool to call on the result. */
export const describeGrouping = (aggregate: string): string =>
  `Groups rows that are equal in the given columns: one row per group, ordered by these columns. Call ${aggregate} on ` +
  'the result to add a column with one value per group. Every other column has the value of one row of the group: the ' +
  'row with the smallest or largest value if the last aggregation added right after grouping is min or max, otherwise ' +
  'the first row. An empty list of columns makes a single group of all rows.';

export const groupDataBy = defineTool({
  name: 'group_data_by',
  description: describeGrouping('aggregate_data'),
  args: z.strictObject({
    data_source: handleField('the table to group'),
    key_name: columnsField('the column or columns to group by'),
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
    'Computes one value from a column: min, max, sum, mean, count and others. On grouped data it computes one value per ' +
    'group and returns the groups with an additional column named `<aggregation>_<column>`; call it again to add more.',
  args: z.strictObject({
    data_source: handleField('the table, column result or grouped data to aggregate'),
    key_name: columnField('the column to aggregate; with count, `*` counts rows').meta({
      'x-all-rows': true,
    }),
    aggregation_type: z.enum(AGGREGATION_NAMES).meta({ description: 'what to compute' }),
    distinct: z.boolean().default(false).meta({ description: 'true to use each different value only once' }),
    limit: limitField('the maximum number of rows to read, in row order; -1 for all'),
    separator: z.string().optional().meta({
      description: 'for group_concat: the text to put between the values',
    }),
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

/** The ways in which a tool puts two results together, with what each one gives. */
type Ways = Readonly<Record<string, string>>;

/** inner: every pair of matching rows; left: … */
function listWays(ways: Ways): string {
  return Object.entries(ways)
    .map(([name, gives]) => `${name}: ${gives}`)
    .join('; ');
}

function namesOf<const W extends Ways>(ways: W): [keyof W & string, ...(keyof W & string)[]] {
  return Object.keys(ways) as [keyof W & string, ...(keyof W & string)[]];
}

const JOINS = {
  inner: 'every pair of matching rows, with the columns of both tables (a repeated name gets a number)',
  left: 'every pair of matching rows, and the rows of the first table without a match, with NULL in the columns of the second',
  semi: 'the rows of the first table that have a match in the second',
  anti: 'the rows of the first table that have no match in the second',
} as const;

const JOINED = 'With empty lists of columns, every row is paired with every row.';

export const joinData = defineTool({
  name: 'join_data',
  description: `Joins two tables on equal values in the given columns. ${listWays(JOINS)}. ${JOINED}`,
  args: z.strictObject({
    data_source: handleField('the first table'),
    other_data_source: handleField('the second table'),
    key_name: columnsField('the column or columns of the first table to join on'),
    other_key_name: columnsField('the matching columns of the second table, in the same order'),
    join_type: z.enum(namesOf(JOINS)).meta({ description: 'which rows to keep' }),
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

const ROWS_KEPT = {
  or: 'the rows that are in either, each once',
  and: 'the rows that are in both',
  and_not: 'the rows that are in the first but not in the second',
} as const;

const IN_ORDER = 'Rows stay in the order of the unfiltered table.';

export const combineRows = defineTool({
  name: 'combine_rows',
  description: `Combines two filtered versions of the same table. ${listWays(ROWS_KEPT)}. ${IN_ORDER}`,
  args: z.strictObject({
    data_source: handleField('the first filtered table'),
    other_data_source: handleField('the second filtered table, made from the same one'),
    combination: z.enum(namesOf(ROWS_KEPT)).meta({ description: 'which rows to keep' }),
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

const RESULTS_KEPT = {
  union: 'the rows of both, without duplicates, sorted by their values',
  union_all: 'all rows of the first, followed by all rows of the second',
  intersect: 'the rows that are in both, without duplicates, sorted by their values',
  except: 'the rows of the first that are not in the second, without duplicates, sorted by their values',
} as const;

const BY_POSITION = 'Columns are matched by position and named as in the first.';

export const combineResults = defineTool({
  name: 'combine_results',
  description: `Combines the rows of two results. ${listWays(RESULTS_KEPT)}. ${BY_POSITION}`,
  args: z.strictObject({
    data_source: handleField('the first table, column or value'),
    other_data_source: handleField('the second table, column or value, with as many columns'),
    combination: z.enum(namesOf(RESULTS_KEPT)).meta({ description: 'which rows to return' }),
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
  const names = new Set(Object.values(operations).flatMap(({ args }) => Object.keys(args)));
  const shape = [...names].map((name): [string, z.ZodType] => {
    const taken = Object.entries(operations).flatMap(([operation, { args }]) => {
      const spec = args[name];
      return spec ? [{ operation, ...spec }] : [];
    });
    // Where `value` is a list in some operations, the wider schema wins.
    const widest = taken.find(({ kind }) => kind === 'test_value') ?? taken[0];
    const schema = widest?.schema ?? z.unknown();
    return [name, schema.optional().describe(describeMeanings(taken))];
  });
  return z
    .looseObject(Object.fromEntries(shape))
    .default({})
    .meta({ description: 'the arguments of the operation' });
}

/** The meaning that an argument has in most operations, and in the others: `a number; power: the exponent`. */
function describeMeanings(taken: readonly { readonly operation: string; readonly schema: z.ZodType }[]) {
  const meanings = new Map<string, string[]>();
  for (const {
    operation,
    schema: { description = '' },
  } of taken)
    meanings.set(description, [...(meanings.get(description) ?? []), operation]);
  const [most, ...others] = [...meanings].sort(([, a], [, b]) => b.length - a.length);
  const rest = others.map(([meaning, operations]) => `${operations.join(', ')}: ${meaning}`);
  return [most?.[0], ...rest].join('; ');
}

/** `(operand, reverse?): add – adds …; subtract – …. no arguments: upper – …`, grouped by arguments. */
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
    'Computes a value for each row from one column, and replaces the column with it or adds it as a new column.',
  args: z.strictObject({
    data_source: handleField('the table to change'),
    key_name: columnField('the column to compute from'),
    operation_type: z.enum(OPERATION_NAMES).meta({
      description: `the operation, listed by the arguments that it takes: ${describeOperations(OPERATIONS)}`,
    }),
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
  description: 'Computes a single value from others, such as the ratio of two earlier results.',
  args: z.strictObject({
    input: operand.meta({ description: 'the value to compute from, or `$handle$` of an earlier result' }),
    operation_type: z.enum(ROW_OPERATION_NAMES).meta({
      description: `the operation, as described in transform_data: ${nameOperations(ROW_OPERATIONS)}`,
    }),
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

/** Descriptions of tools that combine in one way only, by the tool's name and the way. */
export const ONE_WAY = {
  join_data: mapValues(
    JOINS,
    (gives) => `Joins two tables on equal values in the given columns. Returns ${gives}. ${JOINED}`,
  ),
  combine_rows: mapValues(
    ROWS_KEPT,
    (gives) => `Combines two filtered versions of the same table. Keeps ${gives}. ${IN_ORDER}`,
  ),
  combine_results: mapValues(
    RESULTS_KEPT,
    (gives) => `Combines the rows of two results. Returns ${gives}. ${BY_POSITION}`,
  ),
} as const satisfies Readonly<Record<string, Ways>>;
