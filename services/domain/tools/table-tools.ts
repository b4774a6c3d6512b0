import { z } from 'zod';
import type { Catalog } from '../../../contracts/catalog.ts';
import { startTableDefinition } from '../../../contracts/tools.ts';
import { fieldError } from '../../base/arguments.ts';
import {
  asList,
  columnField,
  columnsField,
  defineTool,
  handleField,
  readTest,
  resolveColumn,
  resolveHandle,
  type Scope,
  testValueField,
} from './arguments.ts';
import { splitPath } from './compile-start.ts';
import { CONDITION_NAMES } from './conditions.ts';
import {
  type ColumnPlan,
  catalogTable,
  type DescribePlan,
  describeColumn,
  type FilterPlan,
  makePlan,
  type PlanColumn,
  type SelectPlan,
  type SortPlan,
  type StartPlan,
  startColumns,
  type TruncatePlan,
  type UniquePlan,
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
