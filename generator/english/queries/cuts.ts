import type { Limit } from '../clauses/clause.ts';
import { noun } from '../noun-phrase.ts';
import type { Realizer } from '../realizer.ts';

/** Numbers of rows in words. */
export const COUNTS =
  'no one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'.split(
    ' ',
  );

/** Places in words, from the first on. */
export const ORDINALS = 'first second third fourth fifth sixth seventh eighth ninth tenth'.split(' ');

/** How many rows come first: three, a given number of. */
export function countText({ rows }: Limit, r: Realizer): string {
  if (rows === null) return 'first';
  if (typeof rows === 'number') return COUNTS[rows] ?? String(rows);
  return r.style === 'summary' ? 'a given number of' : r.given(rows, noun('number of rows'), 'value');
}

/** How many rows are left of all: at most three; places 11 to 20; '' when none are cut off. */
export function cutText(limit: Limit | null, r: Realizer): string {
  if (limit === null) return '';
  const { rows, skipped } = limit;
  if (typeof rows === 'number' && skipped !== null && skipped > 0) {
    return rows === 1 ? `place ${skipped + 1} only` : `places ${skipped + 1} to ${skipped + rows}`;
  }
  const count =
    rows === null
      ? 'a computed number of rows'
      : typeof rows === 'number'
        ? rows === 1
          ? 'one row only'
          : `at most ${COUNTS[rows] ?? rows} rows`
        : r.style === 'summary'
          ? 'at most a given number of rows'
          : `at most ${r.given(rows, noun('number of rows'), 'value')} rows`;
  return skipped === 0
    ? count
    : `${count}, after ${skipped === null ? 'a computed number of' : skipped} others`;
}
