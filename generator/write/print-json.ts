import { printExactJson } from '../../contracts/exact-json.ts';

/**
 * JSON text as every file of a farm holds it: keys in the order they were made, two spaces unless compact, a
 * newline at the end. Throws on what JSON would silently turn into something else (NaN, infinities).
 */
export function printJson(value: unknown, { compact = false } = {}): string {
  if (value === undefined) throw new TypeError('this value has no JSON form');
  return `${printExactJson(value, compact ? undefined : 2)}\n`;
}
