import type { CatalogColumn, ColumnStatistics } from '../../../contracts/catalog.ts';

/** What an API says a column's values are: what is stored decides; the declared type only when nothing is. */
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
