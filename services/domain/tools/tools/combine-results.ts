import { z } from 'zod';
import { fieldError } from '../../../base/arguments/argument-error.ts';
import { handleField } from '../arguments/fields.ts';
import { resolveHandle } from '../arguments/scope.ts';
import { defineTool } from '../arguments/tool-definition.ts';
import { makePlan } from '../plan/make-plan.ts';
import type { CombinePlan } from '../plan/plan.ts';

const COMBINATIONS = ['union', 'union_all', 'intersect', 'except'] as const;

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
    combination: z.enum(COMBINATIONS).meta({ description: 'how to combine' }),
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
