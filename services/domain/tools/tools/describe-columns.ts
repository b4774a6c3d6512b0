import { z } from 'zod';
import type { Catalog } from '../../../../contracts/catalog.ts';
import { handleField } from '../arguments/fields.ts';
import { resolveHandle } from '../arguments/scope.ts';
import { defineTool } from '../arguments/tool-definition.ts';
import { describeColumn } from '../plan/describe-column.ts';
import { makePlan } from '../plan/make-plan.ts';
import type { DescribePlan, PlanColumn } from '../plan/plan.ts';

export const describeColumns = defineTool({
  name: 'describe_columns',
  description:
    'Answers the columns of a table as texts: the name that other tools take, its type, and what it means. With ' +
    '`search` those in which every word is found. Of a table with hundreds of columns, keep those you need by ' +
    'select_columns.',
  args: z.strictObject({
    data_source: handleField('the table to describe'),
    search: z.string().max(200).default('').meta({
      description: 'words, or parts of words, of the name or the meaning; all columns unless given',
    }),
    offset: z
      .number()
      .int()
      .min(0)
      .default(0)
      .meta({ description: 'how many columns to leave out at the start' }),
  }),
  plan: (args, scope) => {
    const input = resolveHandle(args.data_source, 'data_source', scope);
    const words = args.search
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== '');
    const lines = input.columns
      .map((column) => describe(column, scope.catalog))
      .filter((line) => words.every((word) => line.toLowerCase().includes(word)))
      .slice(args.offset);
    const columns = [{ key: 'columns', origin: null }];
    return makePlan<DescribePlan>('columns', { op: 'describe', columns, input, lines });
  },
});

function describe({ key, origin }: PlanColumn, catalog: Catalog): string {
  const table = catalog.tables.find(({ name }) => name === origin?.table);
  const column = table?.columns.find(({ name }) => name === origin?.column);
  if (!column) return `${key}: made by an earlier call`;
  const meaning = describeColumn(column);
  return `${key} (${column.type})${meaning ? `: ${meaning}` : ''}`;
}
