/**
 * JSON text as every file of a farm holds it: keys in the order they were made, two spaces unless compact, a
 * newline at the end. Throws on what JSON would silently turn into something else (NaN, infinities).
 */
export function printJson(value: unknown, { compact = false } = {}): string {
  const text = JSON.stringify(value, refuseLossy, compact ? undefined : 2);
  if (text === undefined) throw new TypeError('this value has no JSON form');
  return `${text}\n`;
}

function refuseLossy(key: string, value: unknown): unknown {
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new TypeError(`${value} at "${key}" has no JSON form`);
  }
  return value;
}
