import { z } from 'zod';
import { asList, columnsField, handleField } from '../arguments/fields.ts';
import { resolveColumn, resolveHandle } from '../arguments/scope.ts';
import { defineTool } from '../arguments/tool-definition.ts';
import { makePlan } from '../plan/make-plan.ts';
import type { GroupPlan } from '../plan/plan.ts';

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
