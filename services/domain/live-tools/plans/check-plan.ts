import { HttpProblem } from '../../../base/http/problem.ts';
import type { Plan } from '../../tools/plan/plan.ts';
import { planSize } from './plan-size.ts';

const MOST_PARTS = 10_000;
const MOST_DEPTH = 250;
/** SQLite takes as many in one result. */
const MOST_COLUMNS = 2000;

/** Throws QUERY_TOO_COMPLEX for a plan that no statement could hold. */
export function checkPlan(plan: Plan): void {
  const { parts, depth } = planSize(plan);
  if (plan.columns.length > MOST_COLUMNS)
    refuse(`${plan.columns.length} columns; ${MOST_COLUMNS} are possible`);
  if (depth > MOST_DEPTH) refuse(`more than ${MOST_DEPTH} steps, one inside the other`);
  if (parts > MOST_PARTS) refuse(`more than ${MOST_PARTS} parts`);
}

function refuse(what: string): never {
  throw new HttpProblem('QUERY_TOO_COMPLEX', `The result would be made of ${what}.`);
}
