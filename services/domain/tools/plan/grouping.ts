import type { GroupPlan, Plan } from './plan.ts';

/** The group plan below a table that is still grouped (filters, sorts and new columns leave it so), else null. */
export function groupingOf(plan: Plan): GroupPlan | null {
  switch (plan.op) {
    case 'group':
      return plan;
    case 'filter':
    case 'sort':
    case 'transform':
    case 'truncate':
    case 'group_aggregate':
      return groupingOf(plan.input);
    default:
      return null;
  }
}
