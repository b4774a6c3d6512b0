/** SQLite's affinities of columns. */
export type ColumnAffinity = 'text' | 'numeric' | 'integer' | 'real' | 'blob';

/** The affinity that a declared type gives, by SQLite's rules (section 3.1 of its page on datatypes). */
export function declaredAffinity(declaredType: string): ColumnAffinity {
  const type = declaredType.toUpperCase();
  if (type.includes('INT')) return 'integer';
  if (/CHAR|CLOB|TEXT/.test(type)) return 'text';
  if (type === '' || type.includes('BLOB')) return 'blob';
  return /REAL|FLOA|DOUB/.test(type) ? 'real' : 'numeric';
}
