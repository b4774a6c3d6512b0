import { type Flag, flag } from '../../../contracts/sample.ts';
import type { Ambiguity } from '../../served-copy/settle/ambiguity.ts';
import type { Query } from '../../sql/index.ts';
import type { Expectation } from './expectation.ts';

/** What a sample's reader must know of a gold answer, in the order of the contract. */
export function flagsOf(expected: Expectation, query: Query, open: readonly Ambiguity[]): Flag[] {
  const { rows, pinned, cutsTie } = expected;
  const cuts = open.flatMap((each) =>
    each.kind === 'limit' && each.query.limit !== null ? [each.query] : [],
  );
  const unordered = cuts.some(({ orderBy }) => orderBy.length === 0);
  // A tie in a subquery is not looked for in the data: that it can be is told.
  const innerTie = cuts.some((each) => each !== query && each.orderBy.length > 0);
  const ordered = query.kind !== 'values' && query.orderBy.length > 0;
  const holds: Readonly<Record<Flag, boolean>> = {
    empty_gold: rows.length === 0,
    null_gold: rows.length > 0 && rows.every((row) => row.every((cell) => cell === null)),
    limit_tie: innerTie || (cutsTie && ordered),
    pinned_time: pinned,
    unordered_limit: unordered,
    slow: false,
  };
  return flag.options.filter((each) => holds[each]);
}
