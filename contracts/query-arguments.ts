import { z } from 'zod';
import { FILTER_OPERATORS, AGGREGATE_METRICS } from './query-tool.ts';
import { RATIONALE } from './query-variants.ts';

const name = z.string();
const number = z.union([z.number(), z.bigint()]);
const filter = <Operators extends readonly [string, ...string[]], Value extends z.ZodType>(
  operators: Operators,
  value: Value,
) => z.strictObject({ property_name: name, operator: z.enum(operators), value }).optional();

/** The arguments of a call of the `query` tool as far as they can be checked without knowing its collections. */
export const queryArguments = z.strictObject({
  /** Why these arguments, where a list of tools asks for it. */
  [RATIONALE]: z.string().optional(),
  collection_name: name,
  search_query: z.string().optional(),
  integer_property_filter: filter(FILTER_OPERATORS.integer, number),
  text_property_filter: filter(FILTER_OPERATORS.text, z.string()),
  boolean_property_filter: filter(FILTER_OPERATORS.boolean, z.boolean()),
  integer_property_aggregation: z
    .strictObject({ property_name: name, metrics: z.enum(AGGREGATE_METRICS.integer) })
    .optional(),
  text_property_aggregation: z
    .strictObject({
      property_name: name,
      metrics: z.enum(AGGREGATE_METRICS.text),
      top_occurrences_limit: z.number().int().min(1).optional(),
    })
    .optional(),
  boolean_property_aggregation: z
    .strictObject({ property_name: name, metrics: z.enum(AGGREGATE_METRICS.boolean) })
    .optional(),
  groupby_property: name.optional(),
});
