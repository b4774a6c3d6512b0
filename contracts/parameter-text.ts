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
  // A double would hide a mistake here: infinities, and integers of more than 64 bits.
  return Number.isFinite(Number(number)) ? String(number) : value.value;
}

/** The integer in a query parameter's text, or null; `5.0` is an integer, as in JSON Schema. */
export function readInteger(text: string): bigint | null {
  const digits = /^(-?\d{1,40})(?:\.0{1,40})?$/.exec(text)?.[1];
  return digits === undefined ? null : BigInt(digits);
}

/** The number in a query parameter's text, possibly infinite; null when it is not a number. */
export function readNumber(text: string): number | null {
  return /^-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(text) ? Number(text) : null;
}
