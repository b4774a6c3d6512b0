import { PROPERTY_TYPES } from '../../../contracts/query-tool.ts';
import { isObject, type JsonObject } from '../../json/lossless.ts';
import type { PublishedCollection } from './published-query.ts';

/** What is wrong with a published gold query. */
export interface Quirk {
  readonly kind: 'unknown_collection' | 'unknown_property' | 'type_mismatch' | 'stray_limit';
  readonly argument: string;
  readonly detail: string;
}

const WORDS = { integer: 'number', text: 'text', boolean: 'boolean' } as const;

/** Names that the schema does not have, properties of another type, and a limit that its metric does not use. */
export function findQuirks(query: JsonObject, collections: readonly PublishedCollection[]): Quirk[] {
  const wanted = String(query.collection_name);
  const collection = collections.find(({ name }) => name === wanted);
  if (!collection)
    return [{ kind: 'unknown_collection', argument: 'collection_name', detail: `there is no ${wanted}` }];
  const quirks: Quirk[] = [];
  const check = (argument: string, name: string, type: string | null) => {
    const found = collection.properties.get(name);
    if (found === undefined) {
      quirks.push({ kind: 'unknown_property', argument, detail: `${wanted} has no property ${name}` });
    } else if (type !== null && found !== type) {
      quirks.push({ kind: 'type_mismatch', argument, detail: `${name} is a ${found}, not a ${type}` });
    }
  };
  for (const type of PROPERTY_TYPES) {
    for (const what of ['filter', 'aggregation']) {
      const argument = `${type}_property_${what}`;
      const value = query[argument] ?? null;
      if (isObject(value)) check(argument, String(value.property_name), WORDS[type]);
    }
  }
  if (typeof query.groupby_property === 'string') check('groupby_property', query.groupby_property, null);
  const text = query.text_property_aggregation ?? null;
  if (isObject(text) && text.metrics !== 'TOP_OCCURRENCES' && text.top_occurrences_limit !== undefined) {
    const detail = `${String(text.metrics)} has no use for top_occurrences_limit`;
    quirks.push({ kind: 'stray_limit', argument: 'text_property_aggregation', detail });
  }
  return quirks;
}
