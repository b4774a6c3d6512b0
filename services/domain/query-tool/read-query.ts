import { queryArguments } from '../../../contracts/query-arguments.ts';
import {
  DEFAULT_TOP,
  type Metric,
  PROPERTY_TYPES,
  type PropertyType,
} from '../../../contracts/query-tool.ts';
import { didYouMean, nearestNames } from '../../../contracts/wording.ts';
import { fieldError } from '../../base/arguments/argument-error.ts';
import { parseArguments } from '../../base/arguments/parse-arguments.ts';
import type { Bound } from '../tools/sql/sql.ts';
import { type Collection, hasType, type Property } from './collections.ts';
import { likePattern } from './like-pattern.ts';
import { type SearchWords, searchWords } from './search-words.ts';

/** A call of the tool, checked against the collections. */
export interface ReadQuery {
  readonly collection: Collection;
  readonly search: SearchWords | null;
  readonly filters: readonly QueryFilter[];
  readonly aggregations: readonly QueryAggregation[];
  readonly group: Property | null;
}

export interface QueryFilter {
  readonly property: Property;
  readonly operator: '=' | '<' | '>' | '<=' | '>=' | '<>' | 'LIKE';
  readonly value: Bound;
}

export interface QueryAggregation {
  readonly property: Property;
  readonly metric: Metric;
  /** Of TOP_OCCURRENCES: how many values. */
  readonly top: number;
}

/**
 * A call's arguments, checked. Throws ArgumentError with the fields at fault and the nearest names: unknown collections
 * and properties, properties of another type, operators and metrics that there are not.
 */
export function readQuery(collections: readonly Collection[], given: unknown): ReadQuery {
  const args = parseArguments(queryArguments, given);
  const collection = findCollection(collections, args.collection_name);
  const filters = PROPERTY_TYPES.flatMap((type) => {
    const field = `${type}_property_filter` as const;
    const filter = args[field];
    return filter ? [readFilter(findProperty(collection, filter.property_name, field, type), filter)] : [];
  });
  const aggregations = PROPERTY_TYPES.flatMap((type): QueryAggregation[] => {
    const field = `${type}_property_aggregation` as const;
    const aggregation = args[field];
    if (!aggregation) return [];
    const property = findProperty(collection, aggregation.property_name, field, type);
    const top = 'top_occurrences_limit' in aggregation ? aggregation.top_occurrences_limit : undefined;
    return [{ property, metric: aggregation.metrics, top: top ?? DEFAULT_TOP }];
  });
  if (aggregations.length > 1 && aggregations.some(({ metric }) => metric === 'TOP_OCCURRENCES')) {
    const field = 'text_property_aggregation.metrics';
    throw fieldError(field, 'not_one_of', 'TOP_OCCURRENCES gives rows of its own, and so stands alone');
  }
  const { groupby_property } = args;
  return {
    collection,
    search: args.search_query === undefined ? null : readSearch(collection, args.search_query),
    filters,
    aggregations,
    group:
      groupby_property === undefined ? null : findProperty(collection, groupby_property, 'groupby_property'),
  };
}

function findCollection(collections: readonly Collection[], wanted: string): Collection {
  const found = collections.find(({ name }) => name === wanted);
  if (found) return found;
  const suggestions = nearestNames(
    wanted,
    collections.map(({ name }) => name),
  );
  const message = `there is no collection ${wanted.slice(0, 64)}${didYouMean(suggestions)}`;
  throw fieldError('collection_name', 'not_one_of', message, suggestions);
}

function findProperty(collection: Collection, wanted: string, field: string, type?: PropertyType): Property {
  const { properties } = collection;
  const at = type ? `${field}.property_name` : field;
  const found = properties.find(({ name }) => name === wanted);
  if (found && (type === undefined || hasType(found, type))) return found;
  if (found) {
    const message = `${wanted} is ${WORDS[found.type]}: use ${field.replace(/^[a-z]+/, found.type)}`;
    throw fieldError(at, 'wrong_type', message);
  }
  const fitting = properties.filter((each) => type === undefined || hasType(each, type));
  const suggestions = nearestNames(
    wanted,
    fitting.map(({ name }) => name),
  );
  const message = `${collection.name} has no property ${wanted.slice(0, 64)}${didYouMean(suggestions)}`;
  throw fieldError(at, 'unknown_column', message, suggestions);
}

const WORDS: Readonly<Record<PropertyType, string>> = {
  integer: 'a number',
  text: 'a text',
  boolean: 'a boolean',
};

function readFilter(
  property: Property,
  { operator, value }: { readonly operator: string; readonly value: string | number | bigint | boolean },
): QueryFilter {
  if (typeof value === 'boolean') {
    const stored = property.truth?.[value ? 'true' : 'false'] ?? null;
    return { property, operator: operator === '=' ? '=' : '<>', value: stored };
  }
  if (operator === 'LIKE') return { property, operator, value: likePattern(String(value)) };
  const bound = typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : value;
  return { property, operator: operator as '=' | '<' | '>' | '<=' | '>=', value: bound };
}

function readSearch(collection: Collection, text: string): SearchWords {
  if (!collection.searchable) {
    const message = `${collection.name} cannot be searched: filter by a text property instead`;
    throw fieldError('search_query', 'unknown_parameter', message);
  }
  const words = searchWords(text);
  if (words) return words;
  throw fieldError('search_query', 'wrong_type', 'search_query has no word to search for');
}
