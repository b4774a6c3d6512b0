import { z } from 'zod';
import { handleField } from '../arguments/fields.ts';
import { resolveHandle } from '../arguments/scope.ts';
import { defineTool } from '../arguments/tool-definition.ts';
import { makePlan } from '../plan/make-plan.ts';
import type { ColumnPlan, TruncatePlan } from '../plan/plan.ts';

export const truncate = defineTool({
  name: 'truncate',
  description:
    'Keeps the first `n` rows of a table, or the first `n` values of a column result, after `offset`.',
  args: z.strictObject({
    truncate_array: handleField('a table or a column result'),
    n: z.number().int().min(0).meta({ description: 'how many to keep' }),
    offset: z.number().int().min(0).default(0).meta({ description: 'how many to leave out at the start' }),
  }),
  plan: (args, scope) => {
    const input = resolveHandle(args.truncate_array, 'truncate_array', scope);
    const { n, offset } = args;
    if (input.op !== 'column') {
      return makePlan<TruncatePlan>('truncated', {
        op: 'truncate',
        columns: input.columns,
        input,
        n,
        offset,
      });
    }
    const rest = { key: input.key, distinct: false, limit: n, offset };
    return makePlan<ColumnPlan>(input.key, { op: 'column', columns: input.columns, input, ...rest });
  },
});
