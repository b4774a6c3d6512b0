import { isLosslessNumber } from 'lossless-json';
import { readJson } from '../../base/http/json-text.ts';
import type { SqlValue } from '../../base/sqlite/driver.ts';

export type ApiRow = Readonly<Record<string, unknown>>;

/** A page of a table's API. */
export interface ApiPage {
  readonly rows: readonly ApiRow[];
  readonly nextOffset: number | null;
  readonly isTruncated: boolean;
}

/** The text of an answer as rows, with integers and reals told apart as the text does. */
export function readPage(text: string): ApiPage {
  const { data, next_offset, truncated } = readJson(text) as {
    readonly data: readonly ApiRow[];
    readonly next_offset: number | null;
    readonly truncated: boolean;
  };
  return { rows: data, nextOffset: next_offset, isTruncated: truncated };
}

/** A JSON value as SQLite had it; `isBlob` where texts are the digits of bytes. */
export function toSqlValue(value: unknown, isBlob = false): SqlValue {
  if (typeof value === 'string') return isBlob ? Buffer.from(value, 'hex') : value;
  // Reals are written with a point or an exponent; a number that JavaScript would write in the same way as it came has neither, or a fraction.
  // Its digits are those that came: 8646911284551353000 is no double, though the nearest one is written so.
  if (typeof value === 'number')
    return Number.isInteger(value) && Math.abs(value) < 2 ** 63 ? BigInt(String(value)) : value;
  if (typeof value === 'boolean') return value ? 1n : 0n;
  if (isLosslessNumber(value)) return /^-?\d+$/.test(value.value) ? BigInt(value.value) : Number(value.value);
  return null;
}
