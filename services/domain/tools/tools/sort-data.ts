import { z } from 'zod';
import { columnField, handleField } from '../arguments/fields.ts';
import { resolveColumn, resolveHandle } from '../arguments/scope.ts';
import { defineTool } from '../arguments/tool-definition.ts';
import { makePlan } from '../plan/make-plan.ts';
import type { SortPlan } from '../plan/plan.ts';

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
