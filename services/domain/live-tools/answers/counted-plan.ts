import type { Plan, TablePlan } from '../../tools/plan/plan.ts';

/** The earliest table with as many rows: new columns, sorts and aggregates of groups leave their number as it is. */
export function countedPlan(plan: TablePlan): TablePlan {
  if (plan.op !== 'transform' && plan.op !== 'sort' && plan.op !== 'group_aggregate' && plan.op !== 'select')
    return plan;
  return isTable(plan.input) ? countedPlan(plan.input) : plan;
}

function isTable(plan: Plan): plan is TablePlan {
  return plan.op !== 'column' && plan.op !== 'aggregate' && plan.op !== 'calculate' && plan.op !== 'describe';
}
