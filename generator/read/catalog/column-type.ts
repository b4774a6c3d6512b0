import type { CatalogColumn, ColumnStatistics } from '../../../contracts/catalog.ts';

/**
 * The type of a column's values in the API: decided by the stored values, or by the declared type when nothing is
 * stored.
 */
export function columnType(declared: string, storage: ColumnStatistics['storage']): CatalogColumn['type'] {
  const { integer, real, text, blob } = storage;
  if (text + blob > 0) return 'string';
  if (real > 0) return 'number';
  if (integer > 0) return 'integer';
  return declaredType(declared);
}

/** SQLite's affinity rules, except for the types people store as text or as 0 and 1. */
function declaredType(declared: string): CatalogColumn['type'] {
  if (/int|bool/i.test(declared)) return 'integer';
  if (/char|clob|text|date|time|blob/i.test(declared) || declared.trim() === '') return 'string';
  return 'number';
}
