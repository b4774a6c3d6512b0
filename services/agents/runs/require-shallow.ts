import { HttpProblem } from '../../base/http/problem.ts';

/** Rows are two levels deep, and whatever reads an answer recurses. */
const DEEPEST_ANSWER = 100;

/** Throws BAD_REQUEST for an answer nested more deeply than anything that could be one. */
export function requireShallow(answer: unknown): void {
  if (!isDeeperThan(answer, DEEPEST_ANSWER)) return;
  throw new HttpProblem(
    'BAD_REQUEST',
    `The answer is nested more than ${DEEPEST_ANSWER} levels deep; give rows, a list, a value or text.`,
  );
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeperThan(inner, levels - 1));
}
