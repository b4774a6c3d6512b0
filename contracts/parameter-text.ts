import { isLosslessNumber } from 'lossless-json';
import { exactNumber } from './exact-json.ts';

/**
 * A scalar argument as the text of a query parameter. A number is written by its value, whatever its spelling:
 * `5.0` and `5` are both `5`.
 */
export function parameterText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (!isLosslessNumber(value)) return String(value);
  const number = exactNumber(value.value);
  // A double would lose what cannot be told from a mistake: an infinity, digits beyond 64 bits.
  return Number.isFinite(Number(number)) ? String(number) : value.value;
}

/** What a query parameter's text is as an integer, or null when it is none; `5.0` is one, as it is in JSON Schema. */
export function readInteger(text: string): bigint | null {
  const digits = /^(-?\d{1,40})(?:\.0{1,40})?$/.exec(text)?.[1];
  return digits === undefined ? null : BigInt(digits);
}

/** What a query parameter's text is as a number, perhaps an infinite one; null when it is none. */
export function readNumber(text: string): number | null {
  return /^-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(text) ? Number(text) : null;
}
