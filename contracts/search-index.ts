/** The full-text index of a collection's words in a served copy. */
export function searchIndex(table: string): string {
  return `rookery_search_${table}`;
}

/** The full-text index of what a collection's texts may be about. */
export function facetIndex(collection: string): string {
  return `rookery_facets_${collection}`;
}
