import { z } from 'zod';
import { fieldError } from '../../../base/arguments/argument-error.ts';
import { asList, columnsField, handleField } from '../arguments/fields.ts';
import { resolveColumn, resolveHandle } from '../arguments/scope.ts';
import { defineTool } from '../arguments/tool-definition.ts';
import { makePlan } from '../plan/make-plan.ts';
import type { SelectPlan } from '../plan/plan.ts';

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
