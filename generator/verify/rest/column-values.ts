import Database from 'better-sqlite3';
import { quoteIdentifier } from '../../../sql/index.ts';

/** A value a parameter can be given; other values (NULL, blobs, huge integers) cannot be sent. */
export type SendableValue = string | number;

/** Rows looked at on either end of a table. */
const ROWS = 500;

/** Some rows of a domain's tables, to draw parameter values from. */
export class ColumnValues {
  readonly #file: string;
  readonly #rows = new Map<string, Readonly<Record<string, unknown>>[]>();

  constructor(file: string) {
    this.#file = file;
  }

  /** The first and the last rows of a table, by column; empty when it cannot be read. */
  rowsOf(table: string): readonly Readonly<Record<string, unknown>>[] {
    const known = this.#rows.get(table);
    if (known) return known;
    const rows = this.#read(table);
    this.#rows.set(table, rows);
    return rows;
  }

  #read(table: string): Readonly<Record<string, unknown>>[] {
    const db = new Database(this.#file, { readonly: true, fileMustExist: true });
    try {
      const all = `SELECT * FROM ${quoteIdentifier(table)}`;
      const count = db
        .prepare(`SELECT count(*) FROM ${quoteIdentifier(table)}`)
        .pluck()
        .get() as number;
      const read = (offset: number) =>
        db.prepare(`${all} LIMIT ${ROWS} OFFSET ${offset}`).safeIntegers().all() as Record<string, unknown>[];
      return count <= 2 * ROWS
        ? [...read(0), ...(count > ROWS ? read(ROWS) : [])]
        : [...read(0), ...read(count - ROWS)];
    } finally {
      db.close();
    }
  }
}

/** The value as a parameter of the given type can carry it, or undefined. */
export function asSendable(value: unknown, type: 'integer' | 'number' | 'string'): SendableValue | undefined {
  const number = typeof value === 'bigint' ? Number(value) : value;
  if (type === 'string') {
    if (typeof number === 'string') return number.includes('\0') ? undefined : number;
    return typeof number === 'number' ? String(number) : undefined;
  }
  if (typeof number !== 'number' || !Number.isFinite(number)) return undefined;
  if (type === 'integer') return Number.isSafeInteger(number) ? number : undefined;
  return number;
}
