import type { Cell, Row } from './value.ts';

/** Relative difference up to which two numbers are the same. */
export const NUMBER_TOLERANCE = 1e-9;

/** Whether two cells are equal: NULL to NULL, numbers by value within the tolerance, all else exactly. */
export function sameCell(a: Cell, b: Cell): boolean {
  if (a === b) return true;
  return typeof a === 'number' && typeof b === 'number' && sameNumber(a, b);
}

/** Whether two rows are equal, cell by cell. */
export function sameRow(a: Row, b: Row): boolean {
  return a.length === b.length && a.every((cell, i) => sameCell(cell, b[i] ?? null));
}

/** Whether two numbers are equal within the tolerance; infinities and NaN equal only themselves. */
export function sameNumber(a: number, b: number): boolean {
  if (a === b || (Number.isNaN(a) && Number.isNaN(b))) return true;
  // Without this, the tolerance of an infinity would be infinite too.
  if (!Number.isFinite(a) || !Number.isFinite(b)) return false;
  return Math.abs(a - b) <= NUMBER_TOLERANCE * Math.max(Math.abs(a), Math.abs(b));
}
