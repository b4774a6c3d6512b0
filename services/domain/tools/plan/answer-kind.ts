import type { ToolAnswer } from '../../../../contracts/tools.ts';
import type { Plan } from './plan.ts';

/** The kind of answer of a plan's result. */
export function answerKind(plan: Plan): ToolAnswer['kind'] {
  if (plan.op === 'aggregate' || plan.op === 'calculate') return 'value';
  return isColumnResult(plan) ? 'column' : 'table';
}

/** Whether a result shows its values: a column, or a combination of columns and values. */
function isColumnResult(plan: Plan): boolean {
  if (plan.op === 'combine') return isColumnResult(plan.input) && isColumnResult(plan.other);
  return plan.op === 'column' || plan.op === 'describe' || plan.op === 'aggregate' || plan.op === 'calculate';
}
