import { printExactJson } from '../exact-json.ts';
import { queryArguments } from '../query-arguments.ts';
import { PROPERTY_TYPES } from '../query-tool.ts';
import { TYPE_WORDS } from './read-query-text.ts';
import { writeName, writeText } from './tokens.ts';

/** The query text that stands for a call's arguments; a rationale has no place in it. Throws ZodError for what are none. */
export function writeQueryText(args: unknown): string {
  const query = queryArguments.parse(args);
  const filters = PROPERTY_TYPES.flatMap((type) => {
    const filter = query[`${type}_property_filter`];
    return filter
      ? [`${writeName(filter.property_name)} ${filter.operator} ${writeValue(filter.value)}`]
      : [];
  });
  const aggregations = PROPERTY_TYPES.flatMap((type) => {
    const aggregation = query[`${type}_property_aggregation`];
    if (!aggregation) return [];
    const { property_name, metrics } = aggregation;
    const isOfAnyType = metrics === 'COUNT' || metrics === 'TYPE';
    const limit = 'top_occurrences_limit' in aggregation ? aggregation.top_occurrences_limit : undefined;
    const told = isOfAnyType ? `: ${TYPE_WORDS[type]}` : '';
    // A limit says nothing of any other metric.
    const most = limit === undefined || metrics !== 'TOP_OCCURRENCES' ? '' : `, ${limit}`;
    return [`${metrics}(${writeName(property_name)}${told}${most})`];
  });
  return [
    writeName(query.collection_name),
    ...(query.search_query === undefined ? [] : [`SEARCH ${writeText(query.search_query)}`]),
    ...(filters.length === 0 ? [] : [`WHERE ${filters.join(' AND ')}`]),
    ...(aggregations.length === 0 ? [] : [`AGGREGATE ${aggregations.join(', ')}`]),
    ...(query.groupby_property === undefined ? [] : [`GROUP BY ${writeName(query.groupby_property)}`]),
  ].join(' ');
}

function writeValue(value: string | number | bigint | boolean): string {
  return typeof value === 'string' ? writeText(value) : printExactJson(value);
}
