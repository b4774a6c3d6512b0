import type { Cut } from '../outline/outline.ts';

const WORDS = 'no one two three four five six seven eight nine ten'.split(' ');

/** A fixed number of rows in words; `few` when it is large or computed. */
export function limitWords(limit: number | null): string {
  return (limit === null ? undefined : WORDS[limit]) ?? 'few';
}

/** How many rows are left of all: one row only, at most `limit` rows after the first three; '' when none are cut off. */
export function cutText(cut: Cut | null): string {
  if (cut === null) return '';
  const rows =
    cut.rows === 'chosen'
      ? 'at most `limit` rows'
      : cut.rows === 1
        ? 'one row only'
        : `at most ${limitWords(cut.rows)} rows`;
  if (cut.skipped === 0) return rows;
  return `${rows} after the first ${limitWords(cut.skipped)}`;
}
