import { z } from 'zod';
import { fieldError } from '../../../base/arguments/argument-error.ts';
import { asList, columnsField, handleField } from '../arguments/fields.ts';
import { resolveColumn, resolveHandle } from '../arguments/scope.ts';
import { defineTool } from '../arguments/tool-definition.ts';
import { makePlan } from '../plan/make-plan.ts';
import type { FilterPlan, JoinPlan, PlanColumn, Predicate } from '../plan/plan.ts';
import { uniqueKey } from '../plan/unique-key.ts';

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
