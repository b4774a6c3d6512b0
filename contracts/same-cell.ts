import type { Cell, Row } from './value.ts';

/** Relative difference up to which two reals are the same. */
export const NUMBER_TOLERANCE = 1e-9;

/**
 * Whether two cells are equal: NULL to NULL, integers exactly, a real and any other number by value within the
 * tolerance, all else exactly.
 */
export function sameCell(a: Cell, b: Cell): boolean {
  if (a === b) return true;
  return isNumeric(a) && isNumeric(b) && sameNumber(a, b);
}

/** Whether two rows are equal, cell by cell. */
export function sameRow(a: Row, b: Row): boolean {
  return a.length === b.length && a.every((cell, i) => sameCell(cell, b[i] ?? null));
}

/**
 * Whether two numbers are equal: two integers exactly, others within the tolerance; infinities and NaN equal only
 * themselves. A double that is a whole number counts as an integer as far as doubles tell integers apart.
 */
export function sameNumber(a: number | bigint, b: number | bigint): boolean {
  if (a === b || (Number.isNaN(a) && Number.isNaN(b))) return true;
  if (isInteger(a) && isInteger(b)) return false;
  const [x, y] = [Number(a), Number(b)];
  // Without this, the tolerance of an infinity would be infinite too.
  if (!Number.isFinite(x) || !Number.isFinite(y)) return false;
  return Math.abs(x - y) <= NUMBER_TOLERANCE * Math.max(Math.abs(x), Math.abs(y));
}

export function isNumeric(cell: unknown): cell is number | bigint {
  return typeof cell === 'number' || typeof cell === 'bigint';
}

function isInteger(value: number | bigint): boolean {
  return typeof value === 'bigint' || Number.isSafeInteger(value);
}
