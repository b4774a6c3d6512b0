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
export const AGGREGATE_METRICS = {
  integer: ['COUNT', 'TYPE', 'MIN', 'MAX', 'MEAN', 'MEDIAN', 'MODE', 'SUM'],
  text: ['COUNT', 'TYPE', 'TOP_OCCURRENCES'],
  boolean: ['COUNT', 'TYPE', 'TOTAL_TRUE', 'TOTAL_FALSE', 'PERCENTAGE_TRUE', 'PERCENTAGE_FALSE'],
} as const satisfies Record<PropertyType, readonly string[]>;

export type Metric = (typeof AGGREGATE_METRICS)[PropertyType][number];

/** How many values TOP_OCCURRENCES gives unless told. */
export const DEFAULT_TOP = 5;

interface Filter<Type extends PropertyType, Value> {
  readonly property_name: string;
  readonly operator: (typeof FILTER_OPERATORS)[Type][number];
  readonly value: Value;
}

interface Aggregation<Type extends PropertyType> {
  readonly property_name: string;
  readonly metrics: (typeof AGGREGATE_METRICS)[Type][number];
}

/** The arguments of a call of the tool. */
export interface QueryArguments {
  readonly collection_name: string;
  readonly search_query?: string;
  readonly integer_property_filter?: Filter<'integer', number>;
  readonly text_property_filter?: Filter<'text', string>;
  readonly boolean_property_filter?: Filter<'boolean', boolean>;
  readonly integer_property_aggregation?: Aggregation<'integer'>;
  readonly text_property_aggregation?: Aggregation<'text'> & { readonly top_occurrences_limit?: number };
  readonly boolean_property_aggregation?: Aggregation<'boolean'>;
  readonly groupby_property?: string;
}
