/** The operators of a call of the `query` tool. */
export const QUERY_COMPONENTS = [
  'search_query',
  'integer_property_filter',
  'text_property_filter',
  'boolean_property_filter',
  'integer_property_aggregation',
  'text_property_aggregation',
  'boolean_property_aggregation',
  'groupby_property',
] as const;
