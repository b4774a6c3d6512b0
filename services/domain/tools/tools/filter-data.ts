import { z } from 'zod';
import { columnField, handleField, testValueField } from '../arguments/fields.ts';
import { readTest } from '../arguments/operands.ts';
import { resolveColumn, resolveHandle } from '../arguments/scope.ts';
import { defineTool } from '../arguments/tool-definition.ts';
import { CONDITION_NAMES } from '../plan/conditions.ts';
import { makePlan } from '../plan/make-plan.ts';
import type { FilterPlan } from '../plan/plan.ts';

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
