import { HttpProblem } from '../../../base/http/problem.ts';
import type { Plan } from '../../tools/plan/plan.ts';
import { planSize } from './plan-size.ts';

const MAX_PARTS = 10_000;
const MAX_DEPTH = 250;
/** SQLite takes as many in one result. */
const MAX_COLUMNS = 2000;

/** Throws QUERY_TOO_COMPLEX for a plan that no statement could hold. */
export function checkPlan(plan: Plan): void {
  const { parts, depth } = planSize(plan);
  if (plan.columns.length > MAX_COLUMNS)
    refuse(`${plan.columns.length} columns; ${MAX_COLUMNS} are possible`);
  if (depth > MAX_DEPTH) refuse(`more than ${MAX_DEPTH} steps, one inside the other`);
  if (parts > MAX_PARTS) refuse(`more than ${MAX_PARTS} parts`);
}

function refuse(what: string): never {
  throw new HttpProblem('QUERY_TOO_COMPLEX', `The result would be made of ${what}.`);
}
