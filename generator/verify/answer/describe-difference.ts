import { sameCell } from '../../../contracts/same-rows.ts';
import type { Row } from '../../../contracts/value.ts';
import type { Expectation } from './expectation.ts';

/** One sentence on how an answer differs from the gold rows, for readers of coverage.json. */
export function describeDifference(expected: Expectation, rows: readonly Row[]): string {
  const gold = expected.rows;
  if (gold.length !== rows.length) return `${count(rows)} where the gold SQL gives ${gold.length}`;
  const widths = [gold[0]?.length ?? 0, rows[0]?.length ?? 0];
  if (widths[0] !== widths[1]) return `${widths[1]} columns where the gold SQL gives ${widths[0]}`;
  if (expected.orderGroups === null) return `${count(rows)}, but not those of the gold SQL`;
  for (const [i, row] of gold.entries()) {
    const column = row.findIndex((cell, j) => !sameCell(cell, rows[i]?.[j] ?? null));
    if (column >= 0) return `row ${i + 1} differs from the gold SQL's in column ${column + 1}`;
  }
  return 'the rows come in another order';
}

function count(rows: readonly Row[]): string {
  return rows.length === 1 ? '1 row' : `${rows.length} rows`;
}
