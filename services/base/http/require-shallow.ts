import { isNestedDeeperThan } from '../../../contracts/exact-json.ts';
import { DEEPEST_VALUE } from '../../../contracts/json-depth.ts';
import { HttpProblem } from './problem.ts';

/**
 * What every body from outside must be before it is read: a JSON text no deeper than anything that could be meant.
 * Whatever reads, records, exports or scores it recurses. Throws BAD_REQUEST.
 */
export function limitJsonDepth(text: string): void {
  if (!isNestedDeeperThan(text, DEEPEST_VALUE)) return;
  throw new HttpProblem('BAD_REQUEST', `The body is nested more than ${DEEPEST_VALUE} levels deep.`);
}
