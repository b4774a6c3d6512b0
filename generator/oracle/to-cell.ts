import type { Cell } from '../../contracts/value.ts';

/**
 * A SQLite value as a client reads it from a service's JSON: infinite reals are null, blobs are upper-case hex digits.
 */
export function toCell(value: unknown): Cell {
  switch (typeof value) {
    case 'bigint':
      return Number.isSafeInteger(Number(value)) ? Number(value) : value;
    case 'number':
      return Number.isFinite(value) ? value : null;
    case 'string':
      return value;
    default:
      if (value === null || value === undefined) return null;
      if (value instanceof Uint8Array) return Buffer.from(value).toString('hex').toUpperCase();
      throw new TypeError(`SQLite gave a ${typeof value}`);
  }
}

/** About how many bytes of JSON a cell takes. */
export function cellBytes(cell: Cell): number {
  return typeof cell === 'string' ? cell.length + 2 : 8;
}
