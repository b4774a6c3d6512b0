import { z } from 'zod';
import { handleField } from '../fields.ts';
import { makePlan } from '../plan/make-plan.ts';
import type { ColumnPlan, UniquePlan } from '../plan/plan.ts';
import { resolveHandle } from '../scope.ts';
import { defineTool } from '../tool-definition.ts';

export const selectUniqueValues = defineTool({
  name: 'select_unique_values',
  description:
    'Answers the values of a column result once each, where they first stand. Of a table it keeps the first ' +
    'of all rows that are equal in every column; choose the columns with select_columns before.',
  args: z.strictObject({ unique_array: handleField('a column result or a table') }),
  plan: (args, scope) => {
    const input = resolveHandle(args.unique_array, 'unique_array', scope);
    if (input.op !== 'column')
      return makePlan<UniquePlan>('unique', { op: 'unique', columns: input.columns, input });
    const [key, rest] = [input.key, { distinct: true, limit: -1, offset: 0 }];
    return makePlan<ColumnPlan>(key, { op: 'column', columns: input.columns, input, key, ...rest });
  },
});
