/** The words of the `query` formulation's one tool, as in "Querying Databases with Function Calling" (arXiv 2502.00032). */

export const QUERY_TOOL = 'query_database';

export const PROPERTY_TYPES = ['integer', 'text', 'boolean'] as const;
/** What the tool calls the three kinds of properties; `integer` is any number. */
export type PropertyType = (typeof PROPERTY_TYPES)[number];

/** How a property of each type may be compared. */
export const FILTER_OPERATORS = {
  integer: ['=', '<', '>', '<=', '>='],
  text: ['=', 'LIKE'],
  boolean: ['=', '!='],
} as const satisfies Record<PropertyType, readonly string[]>;

/** What may be computed over a property of each type. */
export const METRICS = {
  integer: ['COUNT', 'TYPE', 'MIN', 'MAX', 'MEAN', 'MEDIAN', 'MODE', 'SUM'],
  text: ['COUNT', 'TYPE', 'TOP_OCCURRENCES'],
  boolean: ['COUNT', 'TYPE', 'TOTAL_TRUE', 'TOTAL_FALSE', 'PERCENTAGE_TRUE', 'PERCENTAGE_FALSE'],
} as const satisfies Record<PropertyType, readonly string[]>;

export type Metric = (typeof METRICS)[PropertyType][number];

/** How many values TOP_OCCURRENCES gives unless told. */
export const DEFAULT_TOP = 5;
