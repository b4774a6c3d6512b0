import { sameBag } from './same-bag.ts';
import type { Row } from './value.ts';

export { NUMBER_TOLERANCE, sameCell, sameRow } from './same-cell.ts';

/**
 * Whether an answer equals the gold rows: as a list where `orderGroups` is given (rows of one group may
 * swap), else as a bag. NULL equals NULL, numbers compare by value within 1e-9 relative, all else exactly;
 * positions count, column names do not.
 */
export function sameRows(
  gold: readonly Row[],
  answer: readonly Row[],
  orderGroups: readonly number[] | null,
): boolean {
  if (gold.length !== answer.length) return false;
  if (orderGroups === null) return sameBag(gold, answer);
  let start = 0;
  while (start < gold.length) {
    let end = start + 1;
    while (end < gold.length && orderGroups[end] === orderGroups[start]) end++;
    if (!sameBag(gold.slice(start, end), answer.slice(start, end))) return false;
    start = end;
  }
  return true;
}
