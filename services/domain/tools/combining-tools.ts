import { z } from 'zod';
import { fieldError } from '../../base/arguments.ts';
import {
  asList,
  columnField,
  columnsField,
  defineTool,
  handleField,
  resolveColumn,
  resolveHandle,
} from './arguments.ts';
import { AGGREGATION_NAMES, aggregation } from './conditions.ts';
import {
  type Aggregate,
  type AggregatePlan,
  type CombinePlan,
  type FilterPlan,
  type GroupAggregatePlan,
  type GroupPlan,
  groupingOf,
  type JoinPlan,
  makePlan,
  type Plan,
  type PlanColumn,
  type Predicate,
  type TablePlan,
  uniqueKey,
} from './plan.ts';

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
