/** The full-text index of a collection's words in a served copy. */
export function searchIndex(table: string): string {
  return `rookery_search_${table}`;
}
