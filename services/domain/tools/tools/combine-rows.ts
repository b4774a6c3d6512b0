import { z } from 'zod';
import { fieldError } from '../../../base/arguments/argument-error.ts';
import { handleField } from '../arguments/fields.ts';
import { resolveHandle } from '../arguments/scope.ts';
import { defineTool } from '../arguments/tool-definition.ts';
import { makePlan } from '../plan/make-plan.ts';
import type { FilterPlan, Plan, Predicate } from '../plan/plan.ts';

const COMBINATIONS = ['or', 'and', 'and_not'] as const;

export const combineRows = defineTool({
  name: 'combine_rows',
  description:
    'Combines two filtered versions of the same table row by row: or (rows kept in either, each once), and ' +
    '(rows kept in both), and_not (rows kept in the first but not in the second). The order is that of the table ' +
    'they were filtered from.',
  args: z.strictObject({
    data_source: handleField('a table after some filters'),
    other_data_source: handleField('the same table after other filters'),
    combination: z.enum(COMBINATIONS).meta({ description: 'which rows to keep' }),
  }),
  plan: (args, scope) => {
    const first = resolveHandle(args.data_source, 'data_source', scope);
    const second = resolveHandle(args.other_data_source, 'other_data_source', scope);
    const input = commonTable(first, second);
    if (!input) {
      const message = `${first.handle} and ${second.handle} are not the same table after different filters`;
      throw fieldError('other_data_source', 'wrong_type', message);
    }
    const [a, b] = [filtersSince(input, first), filtersSince(input, second)];
    const predicate: Predicate =
      args.combination === 'or'
        ? { kind: 'any', of: [a, b] }
        : { kind: 'all', of: [a, args.combination === 'and' ? b : { kind: 'not', of: b }] };
    return makePlan<FilterPlan>('filtered', { op: 'filter', columns: input.columns, input, predicate });
  },
});

/** The last table that both come from by filters (and sorts) alone. */
function commonTable(first: Plan, second: Plan): Plan | null {
  const above = new Set(lineage(first).map((plan) => plan.handle));
  return lineage(second).find((plan) => above.has(plan.handle)) ?? null;
}

function lineage(plan: Plan): Plan[] {
  return plan.op === 'filter' || plan.op === 'sort' ? [plan, ...lineage(plan.input)] : [plan];
}

function filtersSince(table: Plan, plan: Plan): Predicate {
  const of: Predicate[] = [];
  for (let at = plan; at.handle !== table.handle && (at.op === 'filter' || at.op === 'sort'); at = at.input) {
    if (at.op === 'filter') of.unshift(at.predicate);
  }
  return of.length === 1 ? (of[0] as Predicate) : { kind: 'all', of };
}
