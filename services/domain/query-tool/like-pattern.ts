/**
 * A LIKE pattern of SQL from what agents write: one of SQL as it is; `*` and `?` as wildcards; plain words are looked
 * for anywhere in the text.
 */
export function likePattern(value: string): string {
  if (/[%_]/.test(value)) return value;
  if (/[*?]/.test(value)) return value.replaceAll('*', '%').replaceAll('?', '_');
  return `%${value}%`;
}
