import { COLUMNS } from './columns.ts';
import type { LeaderboardRow } from './leaderboard.ts';

/** One line a row, numbers as they are. */
export function leaderboardCsv(rows: readonly LeaderboardRow[]): string {
  const head = ['formulation', ...COLUMNS.map(({ name }) => name), 'split', 'source', 'run'];
  const lines = rows.map((row) => [
    row.formulation,
    ...COLUMNS.map(({ value }) => value(row) ?? ''),
    row.split,
    row.source ?? '',
    row.run ?? '',
  ]);
  return csvText([head, ...lines]);
}

/** Cells as CSV; texts that a spreadsheet would take for formulas are none. */
export function csvText(lines: readonly (readonly (string | number)[])[]): string {
  return lines.map((line) => line.map(csvCell).join(',')).join('\n');
}

function csvCell(value: string | number): string {
  const text = String(value);
  // A cell that begins like a formula would be one in a spreadsheet.
  const safe = typeof value === 'string' && /^[=+\-@]/.test(text) ? `'${text}` : text;
  return /[",\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
