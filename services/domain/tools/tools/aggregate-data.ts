import { z } from 'zod';
import { fieldError } from '../../../base/arguments/argument-error.ts';
import { columnField, handleField } from '../arguments/fields.ts';
import { resolveColumn, resolveHandle } from '../arguments/scope.ts';
import { defineTool } from '../arguments/tool-definition.ts';
import { AGGREGATION_NAMES, aggregation } from '../plan/aggregations.ts';
import { groupingOf } from '../plan/grouping.ts';
import { makePlan } from '../plan/make-plan.ts';
import type { Aggregate, AggregatePlan, GroupAggregatePlan, TablePlan } from '../plan/plan.ts';
import { uniqueKey } from '../plan/unique-key.ts';

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
