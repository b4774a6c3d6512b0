import type { Cell, Row } from './value.ts';

/** Relative difference up to which two numbers are the same. */
export const NUMBER_TOLERANCE = 1e-9;

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

/** Whether two rows are equal under the rules of {@link sameRows}. */
export function sameRow(a: Row, b: Row): boolean {
  return a.length === b.length && a.every((cell, i) => sameCell(cell, b[i] ?? null));
}

/** Whether two cells are equal under the rules of {@link sameRows}. */
export function sameCell(a: Cell, b: Cell): boolean {
  if (typeof a === 'number' && typeof b === 'number') {
    if (a === b || (Number.isNaN(a) && Number.isNaN(b))) return true;
    return Math.abs(a - b) <= NUMBER_TOLERANCE * Math.max(Math.abs(a), Math.abs(b));
  }
  return a === b;
}

function sameBag(a: readonly Row[], b: readonly Row[]): boolean {
  if (a.length === 1) return sameRow(a[0] as Row, b[0] as Row);
  const left = bySortKey(a);
  const right = bySortKey(b);
  for (let i = 0; i < left.length; i++) {
    // Rows that differ only within the tolerance may sort apart: settle those few one by one.
    if (!sameRow(left[i] as Row, right[i] as Row)) return settle(left.slice(i), right.slice(i));
  }
  return true;
}

function settle(left: readonly Row[], right: readonly Row[]): boolean {
  const free = [...right];
  for (const row of left) {
    const at = free.findIndex((other) => sameRow(row, other));
    if (at < 0) return false;
    free.splice(at, 1);
  }
  return true;
}

function bySortKey(rows: readonly Row[]): Row[] {
  return rows
    .map((row) => ({ row, key: JSON.stringify(row.map(sortKey)) }))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ row }) => row);
}

function sortKey(cell: Cell): string | null {
  return typeof cell === 'number' ? `n${cell.toPrecision(9)}` : cell === null ? null : `s${cell}`;
}
