import { limitWords } from '../outline/ordinals.ts';
import type { Cut } from '../outline/outline.ts';

/** How many rows are left of all: one row only, at most `limit` rows after the first three; '' when none are cut off. */
export function cutText(cut: Cut | null): string {
  if (cut === null) return '';
  const rows =
    cut.rows === 'chosen'
      ? 'at most `limit` rows'
      : cut.rows === 1
        ? 'one row only'
        : `at most ${countWords(cut.rows)} rows`;
  if (cut.skipped === 0) return rows;
  const skipped = limitWords(cut.skipped);
  return `${rows} after ${skipped === 'few' ? 'a fixed number of others' : `the first ${skipped}`}`;
}

/** Large numbers may be values that a question chooses. */
function countWords(rows: number | null): string {
  const words = limitWords(rows);
  return words === 'few' ? 'a fixed number of' : words;
}
