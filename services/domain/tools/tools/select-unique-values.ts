import { z } from 'zod';
import { fieldError } from '../../../base/arguments/argument-error.ts';
import { asList, columnsField, handleField } from '../arguments/fields.ts';
import { resolveColumn, resolveHandle } from '../arguments/scope.ts';
import { defineTool } from '../arguments/tool-definition.ts';
import { makePlan } from '../plan/make-plan.ts';
import type { ColumnPlan, UniquePlan } from '../plan/plan.ts';

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
