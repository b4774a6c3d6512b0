import type Database from 'better-sqlite3';
import { AGGREGATE_METRICS } from '../../../contracts/query-tool.ts';
import {
  type Collection,
  collectionsOf,
  type Property,
} from '../../../services/domain/query-tool/collections.ts';
import { quoteIdentifier } from '../../../sql/index.ts';
import { collectionSql } from '../../served-copy/collection-sql.ts';
import { planSearchIndexes } from '../../served-copy/plan-search-indexes.ts';
import type { AskedDomain } from '../find-databases.ts';
import type { Profile, ProfiledColumn } from '../profile/profile.ts';
import type { Combination } from './combination.ts';
import { type FacetWord, facetWords, type WordFamily, wordFamilies } from './word-families.ts';

/** A property with what is known of its values. */
export interface ShelvedProperty {
  readonly property: Property;
  readonly profiled: ProfiledColumn;
  /** Of a number: values that a few rows are below, or above. */
  readonly ends: { readonly low: number; readonly high: number } | null;
}

type NumberMetric = (typeof AGGREGATE_METRICS)['integer'][number];

/** What a collection offers to calls of the tool. */
export interface Shelf {
  readonly collection: Collection;
  /** The columns that a search looks at, and words that can be searched for; none where it cannot be searched. */
  readonly searched: readonly string[];
  readonly words: readonly WordFamily[];
  /** Where the split tells what the texts may be about: words for that, which are searched for in place of others. */
  readonly facetWords: readonly FacetWord[];
  /** By type: properties to filter by. */
  readonly filters: Readonly<Record<'integer' | 'text' | 'boolean', readonly ShelvedProperty[]>>;
  readonly aggregated: Readonly<Record<'integer' | 'text' | 'boolean', readonly ShelvedProperty[]>>;
  readonly groups: readonly ShelvedProperty[];
}

const MOST_GROUPS = 30;

/** The collections of a database that anything can be asked about, in the order of its tables. */
export function shelvesOf(domain: AskedDomain, profile: Profile, connection: Database.Database): Shelf[] {
  const indexes = planSearchIndexes(domain.catalog, domain.file);
  return collectionsOf(domain.catalog).flatMap((collection): Shelf[] => {
    if (!profile.tables.some(({ table }) => table.name === collection.table.name)) return [];
    const { from, column: columnSql } = collectionSql(collection);
    const searched = indexes.find((one) => one.collection === collection.name)?.columns ?? [];
    const known = collection.properties.flatMap((property): ShelvedProperty[] => {
      const profiled = profile.tables.find(({ table }) => table.name === property.table);
      const column = profiled?.columns.find((one) => one.column.name === property.column.name);
      if (!column || column.kind === 'key') return [];
      const ends =
        property.type === 'integer' ? endsOf(connection, property.table, property.column.name) : null;
      return [{ property, profiled: column, ends }];
    });
    const ofType = (type: Property['type']) => known.filter(({ property }) => property.type === type);
    const numbers = ofType('integer').filter(
      ({ property, profiled }) => property.alsoType === null && profiled.use !== 'code',
    );
    const texts = ofType('text').filter(({ profiled: { kind } }) => kind === 'category' || kind === 'name');
    const flags = ofType('boolean');
    return [
      {
        collection,
        searched,
        words: searched.length === 0 ? [] : wordFamilies(connection, from, searched.map(columnSql)),
        facetWords: searched.length === 0 ? [] : facetWords(collection.about?.column.facets ?? []),
        filters: { integer: numbers, text: texts, boolean: flags },
        aggregated: { integer: numbers, text: texts, boolean: flags },
        groups: known.filter((one) => isGroup(one, collection.table.rows)),
      },
    ];
  });
}

/** The values that some forty rows, or a fifth of a small table, are below and above. */
function endsOf(connection: Database.Database, table: string, column: string): ShelvedProperty['ends'] {
  const name = quoteIdentifier(column);
  const at = (direction: 'ASC' | 'DESC') =>
    connection
      .prepare(
        `SELECT ${name} FROM ${quoteIdentifier(table)} WHERE typeof(${name}) IN ('integer', 'real') ORDER BY ${name} ${direction}
         LIMIT 1 OFFSET (SELECT MIN(40, COUNT(${name}) / 5) FROM ${quoteIdentifier(table)})`,
      )
      .pluck()
      .get();
  const [low, high] = [at('ASC'), at('DESC')];
  return typeof low === 'number' && typeof high === 'number' ? { low, high } : null;
}

/** Few values, each of several rows. */
function isGroup({ property, profiled }: ShelvedProperty, rows: number): boolean {
  if (property.type === 'boolean') return true;
  const { distinct } = profiled.column.statistics;
  if (
    profiled.kind === 'date' ||
    (property.type === 'integer' && profiled.kind !== 'category' && profiled.use === 'code')
  )
    return false;
  return distinct >= 2 && distinct <= MOST_GROUPS && distinct * 2 <= rows;
}

/** What of a number can be asked: nobody adds up years. */
export function metricsOfNumber({ profiled }: ShelvedProperty): readonly NumberMetric[] {
  return profiled.use === 'year' ? AGGREGATE_METRICS.integer.filter((one) => !SUMMED.has(one)) : AGGREGATE_METRICS.integer;
}

const SUMMED: ReadonlySet<string> = new Set(['SUM', 'MEAN']);

/** What a collection lacks for a combination; null when it lacks nothing. */
export function lackOf(shelf: Shelf, { search, filter, aggregation, group }: Combination): string | null {
  if (search && shelf.words.length === 0 && shelf.facetWords.length === 0) return 'words to search for';
  if (filter && shelf.filters[filter].length === 0) return `a ${NOUNS[filter]} property to filter by`;
  if (aggregation && shelf.aggregated[aggregation].length === 0)
    return `a ${NOUNS[aggregation]} property to aggregate`;
  if (group && shelf.groups.length === 0) return 'a property with few values to group by';
  return null;
}

const NOUNS = { integer: 'number', text: 'text', boolean: 'boolean' } as const;
