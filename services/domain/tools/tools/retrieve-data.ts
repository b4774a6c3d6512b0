import { z } from 'zod';
import { columnField, handleField } from '../arguments/fields.ts';
import { resolveColumn, resolveHandle } from '../arguments/scope.ts';
import { defineTool } from '../arguments/tool-definition.ts';
import { makePlan } from '../plan/make-plan.ts';
import type { ColumnPlan } from '../plan/plan.ts';

export const retrieveData = defineTool({
  name: 'retrieve_data',
  description:
    'Answers the values of one column in row order. Several columns of one table line up row by row. With ' +
    '`distinct` equal values are given once, where they first stand; `offset` and `limit` come after that. An answer ' +
    'shows 100 values; where it says `truncated`, repeat the call with a higher `offset` to see the next ones. The ' +
    'result itself always holds all of them.',
  args: z.strictObject({
    data_source: handleField('the table to read'),
    key_name: columnField('the column to read'),
    distinct: z.boolean().default(false).meta({ description: 'true: equal values once' }),
    limit: z.number().int().min(-1).default(-1).meta({ description: 'how many values at most; -1: all' }),
    offset: z
      .number()
      .int()
      .min(0)
      .default(0)
      .meta({ description: 'how many values to leave out at the start' }),
  }),
  plan: (args, scope) => {
    const input = resolveHandle(args.data_source, 'data_source', scope);
    const column = resolveColumn(input, args.key_name, 'key_name');
    const { distinct, limit, offset } = args;
    const columns = [column];
    return makePlan<ColumnPlan>(column.key, {
      op: 'column',
      columns,
      input,
      key: column.key,
      distinct,
      limit,
      offset,
    });
  },
});
