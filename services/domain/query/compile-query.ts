import { declaredAffinity } from '../../../contracts/catalog.ts';
import {
  DEFAULT_TOP,
  type Metric,
  PROPERTY_TYPES,
  type PropertyType,
  queryArguments,
} from '../../../contracts/query-tool.ts';
import { facetIndex, searchIndex } from '../../../contracts/service.ts';
import { didYouMean, freeName, namesOf, nearestNames } from '../../../contracts/wording.ts';
import { fieldError, parseArguments } from '../../base/arguments.ts';
import { type Bound, bind, identifier, join, nothing, type Sql, sql } from '../tools/conditions.ts';
import { type Collection, hasType, type Property, typeName } from './collections.ts';

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
  /** Number of values for TOP_OCCURRENCES. */
  readonly top: number;
}

/**
 * Validates a call's arguments. Throws ArgumentError with the invalid fields and the nearest names: unknown
 * collections, properties, operators and metrics, and properties of the wrong type.
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
  const suggestions = nearestNames(wanted, namesOf(collections));
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
  const suggestions = nearestNames(wanted, namesOf(fitting));
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

export interface CompiledQuery {
  readonly select: Sql;
  readonly columns: readonly string[];
}

/** Compiles a call to one SELECT. All its conditions are joined by AND. */
export function compileQuery(query: ReadQuery): CompiledQuery {
  const [first] = query.aggregations;
  if (first?.metric === 'TOP_OCCURRENCES') return topOccurrences(query, first);
  if (first || query.group) return groups(query);
  return rows(query);
}

function rows(query: ReadQuery): CompiledQuery {
  const { collection, search } = query;
  const columns = collection.properties.map(({ name }) => name);
  const order = collection.table.has_rowid ? sql` ORDER BY t.rowid` : nothing;
  const list = join(collection.properties.map(columnOf));
  if (search?.nearest) {
    const tests = query.filters.length === 0 ? nothing : sql` WHERE ${join(testsOf(query.filters), ' AND ')}`;
    const select = sql`SELECT ${list} FROM json_each(${idsOf(search.nearest)}) AS nearest JOIN ${tableOf(query)} ON t.rowid = nearest.value${tests} ORDER BY nearest.key`;
    return { columns, select };
  }
  if (!search || collection.about)
    return { columns, select: sql`SELECT ${list} FROM ${tableOf(query)}${where(query)}${order}` };
  const index = identifier(searchIndex(collection.name));
  const tests = join([sql`${index} MATCH ${matching(index, search)}`, ...testsOf(query.filters)], ' AND ');
  const select = sql`SELECT ${list} FROM ${index} JOIN ${tableOf(query)} ON t.rowid = ${index}.rowid WHERE ${tests} ORDER BY bm25(${index}), t.rowid`;
  return { columns, select };
}

function groups(query: ReadQuery): CompiledQuery {
  const { group, aggregations } = query;
  const taken = new Set<string>();
  const outputs = [
    ...(group ? [{ name: group.name, value: columnOf(group) }] : []),
    ...(aggregations.length === 0 ? [{ name: 'count', value: sql`COUNT(*)` }] : []),
    ...aggregations.map((aggregation) => ({
      name: `${aggregation.property.name}_${aggregation.metric.toLowerCase()}`,
      value: metricOf(aggregation, query),
    })),
  ].map(({ name, value }) => ({ name: freeName(name, taken), value }));
  const list = join(outputs.map(({ value }) => value));
  const by = group ? sql` GROUP BY ${columnOf(group)} ORDER BY ${columnOf(group)}` : nothing;
  const grouped = sql`SELECT ${list} FROM ${tableOf(query)}${where(query)}${by}`;
  return { columns: outputs.map(({ name }) => name), select: grouped };
}

/** The most frequent values, overall or per group; the smaller value first in a tie. */
function topOccurrences(query: ReadQuery, { property, top }: QueryAggregation): CompiledQuery {
  const { group } = query;
  const value = columnOf(property);
  const base = sql`FROM ${tableOf(query)}${where(query, [sql`${value} IS NOT NULL`])}`;
  const taken = new Set<string>();
  const columns = [...(group ? [group] : []), property].map(({ name }) => freeName(name, taken));
  columns.push(freeName('occurs', taken));
  const limit = bind(BigInt(top));
  if (!group) {
    const select = sql`SELECT ${value}, COUNT(*) ${base} GROUP BY ${value} ORDER BY COUNT(*) DESC, ${value} LIMIT ${limit}`;
    return { columns, select };
  }
  const by = columnOf(group);
  const ranked = sql`SELECT ${by} AS g, ${value} AS v, COUNT(*) AS n, row_number() OVER (PARTITION BY ${by} ORDER BY COUNT(*) DESC, ${value}) AS r ${base} GROUP BY ${by}, ${value}`;
  return { columns, select: sql`SELECT g, v, n FROM (${ranked}) WHERE r <= ${limit} ORDER BY g, r` };
}

function metricOf(aggregation: QueryAggregation, query: ReadQuery): Sql {
  return METRIC_SQL[aggregation.metric](columnOf(aggregation.property), aggregation, query);
}

type MetricSql = (value: Sql, aggregation: QueryAggregation, query: ReadQuery) => Sql;

/** Metrics ignore NULL. */
const METRIC_SQL: Readonly<Record<Metric, MetricSql>> = {
  COUNT: (value) => sql`COUNT(${value})`,
  TYPE: (_, { property }) => once(bind(typeName(property))),
  MIN: (value) => sql`MIN(${value})`,
  MAX: (value) => sql`MAX(${value})`,
  MEAN: (value) => sql`AVG(${value})`,
  // median() rejects texts. A text counts as its numeric prefix, or 0, as in a sum.
  MEDIAN: (value) => sql`median(${value} + 0)`,
  SUM: (value) => sql`SUM(${value})`,
  MODE: mode,
  TOTAL_TRUE: (value, { property }) => counted(value, property, 'true'),
  TOTAL_FALSE: (value, { property }) => counted(value, property, 'false'),
  PERCENTAGE_TRUE: (value, { property }) => sql`AVG(${value} = ${stored(property, 'true')})`,
  PERCENTAGE_FALSE: (value, { property }) => sql`AVG(${value} = ${stored(property, 'false')})`,
  TOP_OCCURRENCES: () => {
    throw new Error('TOP_OCCURRENCES has rows of its own');
  },
};

/** Wraps a constant in an aggregate: one value for all rows, or per group. */
function once(value: Sql): Sql {
  return sql`CASE WHEN COUNT(*) >= 0 THEN ${value} END`;
}

function counted(value: Sql, property: Property, which: 'true' | 'false'): Sql {
  return sql`COUNT(CASE WHEN ${value} = ${stored(property, which)} THEN 1 END)`;
}

function stored({ truth }: Property, which: 'true' | 'false'): Sql {
  return bind(truth?.[which] ?? null);
}

/** The most frequent value, the smallest in a tie. A subquery over the rows, since SQLite has no such aggregate. */
function mode(_: Sql, { property }: QueryAggregation, query: ReadQuery): Sql {
  const { group } = query;
  const inner = sql`m.${identifier(property.name)}`;
  const own = group ? [sql`m.${identifier(group.name)} IS ${columnOf(group)}`] : [];
  const tests = join([...own, sql`${inner} IS NOT NULL`, ...conditionsOf(query, sql`m`)], ' AND ');
  return once(
    sql`(SELECT ${inner} FROM ${rowsOf(query.collection)} AS m WHERE ${tests} GROUP BY ${inner} ORDER BY COUNT(*) DESC, ${inner} LIMIT 1)`,
  );
}

function where(query: ReadQuery, more: readonly Sql[] = []): Sql {
  const all = [...conditionsOf(query, sql`t`), ...more];
  return all.length === 0 ? nothing : sql` WHERE ${join(all, ' AND ')}`;
}

function conditionsOf({ collection, search, filters }: ReadQuery, table: Sql): Sql[] {
  const tests = testsOf(filters, table);
  if (!search) return tests;
  if (search.nearest)
    return [sql`${table}.rowid IN (SELECT value FROM json_each(${idsOf(search.nearest)}))`, ...tests];
  const byWords = wordTest(collection, search, table);
  return [
    collection.about ? aboutTest(collection, collection.about, search, table, byWords) : byWords,
    ...tests,
  ];
}

function idsOf(rows: readonly (bigint | number)[]): Sql {
  return bind(`[${rows.join()}]`);
}

function wordTest({ name }: Collection, search: SearchWords, table: Sql): Sql {
  const index = identifier(searchIndex(name));
  return sql`${table}.rowid IN (SELECT rowid FROM ${index} WHERE ${index} MATCH ${matching(index, search)})`;
}

/**
 * Matches rows whose text has, for each search word that some facets contain, a phrase of one of these facets. If no
 * facet contains any of the words, the words themselves are searched.
 */
function aboutTest(
  collection: Collection,
  { name }: Property,
  { each, any }: SearchWords,
  table: Sql,
  byWords: Sql,
): Sql {
  const facets = identifier(facetIndex(collection.name));
  const knows = (words: string) => sql`EXISTS (SELECT 1 FROM ${facets} WHERE ${facets} MATCH ${bind(words)})`;
  const tests = each.map(
    (word) =>
      sql`(NOT ${knows(word)} OR ${table}.rowid IN (SELECT r.rowid FROM ${rowsOf(collection)} AS r JOIN (SELECT phrases FROM ${facets} WHERE ${facets} MATCH ${bind(word)}) AS f JOIN json_each(f.phrases) AS phrase WHERE instr(r.${identifier(name)}, phrase.value) > 0))`,
  );
  return sql`CASE WHEN ${knows(any)} THEN ${join(tests, ' AND ')} ELSE ${byWords} END`;
}

/** Rows that have every word; if there are none, rows that have any. */
function matching(index: Sql, { all, any }: SearchWords): Sql {
  return sql`(SELECT iif(EXISTS (SELECT 1 FROM ${index} WHERE ${index} MATCH ${bind(all)}), ${bind(all)}, ${bind(any)}))`;
}

function testsOf(filters: readonly QueryFilter[], table: Sql = sql`t`): Sql[] {
  return filters.map(({ property, operator, value }) => {
    const column = sql`${table}.${identifier(property.name)}`;
    const test = TESTS[operator](column, bind(value));
    return operator === '=' && typeof value === 'string' && hasUnconvertedNumbers(property)
      ? sql`(${test} OR typeof(${column}) IN ('integer', 'real') AND CAST(${column} AS NUMERIC) = ${bind(value)})`
      : test;
  });
}

/**
 * Whether a column has numbers that never equal a text: SQLite compares '12' as 12 only with numeric affinity, or next
 * to a CAST to NUMERIC.
 */
export function hasUnconvertedNumbers({ alsoType, column }: Property): boolean {
  return alsoType !== null && declaredAffinity(column.declared_type) === 'blob';
}

const TESTS: Readonly<Record<QueryFilter['operator'], (column: Sql, value: Sql) => Sql>> = {
  '=': (column, value) => sql`${column} = ${value}`,
  '<': (column, value) => sql`${column} < ${value}`,
  '>': (column, value) => sql`${column} > ${value}`,
  '<=': (column, value) => sql`${column} <= ${value}`,
  '>=': (column, value) => sql`${column} >= ${value}`,
  '<>': (column, value) => sql`${column} <> ${value}`,
  LIKE: (column, value) => sql`${column} LIKE ${value}`,
};

function tableOf({ collection }: ReadQuery): Sql {
  return sql`${rowsOf(collection)} AS t`;
}

/** A SELECT of the row ids and the texts of a collection, as what its search looks at. */
export function textsOf(collection: Collection): Sql {
  const texts = collection.properties.filter(({ type }) => type === 'text');
  return sql`SELECT t.rowid, ${join(texts.map(columnOf))} FROM ${rowsOf(collection)} AS t ORDER BY t.rowid`;
}

/** A table, or a join with the properties as columns and the row ids of the first table. */
function rowsOf({ name, joined, properties }: Collection): Sql {
  if (!joined) return identifier(name);
  const { from, to, key } = joined;
  const [first, second] = [identifier(from.name), identifier(to.name)];
  const columns = properties.map(
    (each) => sql`${identifier(each.table)}.${identifier(each.column.name)} AS ${identifier(each.name)}`,
  );
  const pairs = key.columns.map(
    (column, i) =>
      sql`${first}.${identifier(column)} = ${second}.${identifier(key.references_columns[i] ?? '')}`,
  );
  return sql`(SELECT ${first}.rowid AS rowid, ${join(columns)} FROM ${first} JOIN ${second} ON ${join(pairs, ' AND ')})`;
}

function columnOf({ name }: Property): Sql {
  return sql`t.${identifier(name)}`;
}

/**
 * A LIKE pattern from an agent's text: SQL patterns unchanged, `*` and `?` as wildcards, and plain words matched
 * anywhere.
 */
export function likePattern(value: string): string {
  if (/[%_]/.test(value)) return value;
  if (/[*?]/.test(value)) return value.replaceAll('*', '%').replaceAll('?', '_');
  return `%${value}%`;
}

/** Queries of the full-text index. */
export interface SearchWords {
  readonly text: string;
  /** FTS5 query for rows that have every word. */
  readonly all: string;
  /** FTS5 query for rows that have at least one word. */
  readonly any: string;
  readonly each: readonly string[];
  /** Where search is by vectors: the rows found, the closest first, whatever their words. */
  readonly nearest?: readonly (bigint | number)[];
}

const STOP_WORDS = new Set(
  (
    'a about after all also am an and any are as at be because been before being both but by can could did do does ' +
    'each for from had has have he her here him his how i if in into is it its just like may me more most my no nor ' +
    'not of off on only or other our out over own same she should so some such than that the their them then there ' +
    'these they this those through to too under until up very was we were what when where which while who whom why ' +
    'will with would you your'
  ).split(' '),
);

/** The words of a search without stop words; null if none are left. */
export function searchWords(text: string): SearchWords | null {
  const words = text.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  const quoted = [...new Set(words)].filter((word) => !STOP_WORDS.has(word)).map((word) => `"${word}"`);
  return quoted.length === 0
    ? null
    : { text, all: quoted.join(' AND '), any: quoted.join(' OR '), each: quoted };
}
