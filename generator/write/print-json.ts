import { printExactJson } from '../../contracts/exact-json.ts';

/**
 * JSON text in the style of every file of a farm: keys in insertion order, two spaces unless compact, a newline at the
 * end. Throws on values that JSON would silently change (NaN, infinities).
 */
export function printJson(value: unknown, { compact = false } = {}): string {
  if (value === undefined) throw new TypeError('this value has no JSON form');
  return `${printExactJson(value, compact ? undefined : 2)}\n`;
}
