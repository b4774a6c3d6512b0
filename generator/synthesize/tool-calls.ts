import type Database from 'better-sqlite3';
import {
  DEFAULT_TOP,
  FILTER_OPERATORS,
  PROPERTY_TYPES,
  type PropertyType,
  type QueryArguments,
} from '../../contracts/query-tool.ts';
import { type Collection, collectionsOf, type Property } from '../../services/domain/query/collections.ts';
import { quoteIdentifier, quoteText } from '../../sql/index.ts';
import { lowerWords } from '../english/words.ts';
import { type CollectionSql, collectionSql, planSearchIndexes } from '../oracle/served-copy.ts';
import type { Random } from '../variants/random.ts';
import { profileOfAsked } from './asked-columns.ts';
import type { SynthesisDomain } from './find-databases.ts';
import { aggregatesOf, type Profile, type ProfiledColumn } from './profile.ts';
import { isFewNumber, roundBound } from './query-builder.ts';
import { type FacetWord, facetWords, isSearchable, type WordFamily, wordFamilies } from './search-words.ts';

/** The operators of a call of the `query` tool: at most one filter and one aggregation. */
export interface Combination {
  /**
   * Search, filter, aggregation and group, a letter each: `1ti0` has a search, text filter, integer
   * aggregation.
   */
  readonly code: string;
  readonly search: boolean;
  /** The type of the filtered property. */
  readonly filter: PropertyType | null;
  /** The type of the aggregated property. */
  readonly aggregation: PropertyType | null;
  readonly group: boolean;
}

const TYPES = [...PROPERTY_TYPES, null] as const;

/** The 63 combinations with some operator, in the order of the paper's data. */
export const COMBINATIONS: readonly Combination[] = [true, false]
  .flatMap((search) =>
    TYPES.flatMap((filter) =>
      TYPES.flatMap((aggregation) =>
        [true, false].map((group) => combination(search, filter, aggregation, group)),
      ),
    ),
  )
  .filter((each) => operatorsIn(each) > 0);

/** The combination of a call; of several filters or aggregations, the first counts. */
export function combinationOf(args: QueryArguments): Combination {
  const typeOf = (what: 'filter' | 'aggregation') =>
    PROPERTY_TYPES.find((type) => args[`${type}_property_${what}`] !== undefined) ?? null;
  return combination(
    args.search_query !== undefined,
    typeOf('filter'),
    typeOf('aggregation'),
    args.groupby_property !== undefined,
  );
}

/** One operator is simple, two are moderate, more are complex. */
export function complexityOf(each: Combination): 'simple' | 'moderate' | 'complex' {
  const operators = operatorsIn(each);
  if (operators <= 1) return 'simple';
  return operators === 2 ? 'moderate' : 'complex';
}

function operatorsIn({ search, filter, aggregation, group }: Combination): number {
  return Number(search) + Number(filter !== null) + Number(aggregation !== null) + Number(group);
}

function combination(
  search: boolean,
  filter: PropertyType | null,
  aggregation: PropertyType | null,
  group: boolean,
): Combination {
  const letter = (type: PropertyType | null) => type?.charAt(0) ?? '-';
  const code = `${Number(search)}${letter(filter)}${letter(aggregation)}${Number(group)}`;
  return { code, search, filter, aggregation, group };
}

/** Prefers the items used least, so that every operator and metric has its turn. */
export class Balance {
  readonly #used = new Map<string, number>();
  /** Failures since the last success. */
  readonly #failed = new Map<string, number>();
  readonly #random: Random;
  #drawn: string[] = [];

  constructor(random: Random) {
    this.#random = random;
  }

  /** Undefined when there are no items. Uses are counted by `keyOf`. */
  pick<T>(items: readonly T[], keyOf: (item: T) => string): T | undefined {
    const weights = items.map((item) => {
      const key = keyOf(item);
      return 1 / (1 + (this.#used.get(key) ?? 0)) ** 3 / (1 + (this.#failed.get(key) ?? 0)) ** 3;
    });
    let left = this.#random.next() * weights.reduce((sum, weight) => sum + weight, 0);
    const at = weights.findIndex((weight) => {
      left -= weight;
      return left < 0;
    });
    const item = items[at < 0 ? items.length - 1 : at];
    if (item !== undefined) this.#drawn.push(keyOf(item));
    return item;
  }

  /** Records whether the items picked since the last call led to a question. */
  settle(kept: boolean): void {
    const counts = kept ? this.#used : this.#failed;
    for (const key of this.#drawn) counts.set(key, (counts.get(key) ?? 0) + 1);
    if (kept) this.#failed.clear();
    this.#drawn = [];
  }

  /** Forgets failures, before the next combination. */
  forgive(): void {
    this.#failed.clear();
  }
}

/** A property with statistics of its values. */
interface ShelvedProperty {
  readonly property: Property;
  readonly profiled: ProfiledColumn;
  /** For numbers: values that few rows are below, or above. */
  readonly ends: { readonly low: number; readonly high: number } | null;
  /** For names: words that several of them share. */
  readonly shared: readonly string[];
  /** The operators and metrics that make sense of it. */
  readonly operators: readonly string[];
  readonly metrics: readonly string[];
}

/** The properties and words of a collection that calls can use. */
export interface Shelf {
  readonly collection: Collection;
  /** The columns searched and words to search for; empty without search. */
  readonly searched: readonly string[];
  readonly words: readonly WordFamily[];
  /** Words for facets; if there are any, these are searched for instead. */
  readonly facetWords: readonly FacetWord[];
  /** By type. */
  readonly filters: Readonly<Record<'integer' | 'text' | 'boolean', readonly ShelvedProperty[]>>;
  readonly aggregated: Readonly<Record<'integer' | 'text' | 'boolean', readonly ShelvedProperty[]>>;
  readonly groups: readonly ShelvedProperty[];
}

const MOST_GROUPS = 30;
/** Where there are more different numbers, the most common one means little. */
const MOST_MODES = 65;

/** Collections that questions can be asked about, in the order of tables. */
export function shelvesOf(domain: SynthesisDomain, all: Profile, connection: Database.Database): Shelf[] {
  const profile = profileOfAsked(all);
  const indexes = planSearchIndexes(domain.catalog, domain.file);
  return collectionsOf(domain.catalog).flatMap((collection): Shelf[] => {
    if (!profile.tables.some(({ table }) => table.name === collection.table.name)) return [];
    const { from, column: columnSql } = collectionSql(collection);
    const searched = indexes.find((one) => one.collection === collection.name)?.columns ?? [];
    const known = collection.properties.flatMap((property): ShelvedProperty[] => {
      const column = profiledOf(property, profile);
      if (!column || column.kind === 'key' || property.alsoType !== null) return [];
      const ends =
        property.type === 'integer' ? endsOf(connection, property.table, property.column.name) : null;
      const isName = property.type === 'text' && /name|title|description/i.test(property.column.name);
      const shared = isName ? sharedWords(connection, property) : [];
      const isOwn = property.table === collection.table.name;
      const plain = { property, profiled: column, ends, shared };
      return [{ ...plain, operators: operatorsOf(plain), metrics: metricsOf(plain, isOwn) }];
    });
    const isKey = (name = '') => profiledOf(propertyNamed(collection, name), all)?.kind === 'key';
    const words = searched.length === 0 ? [] : wordFamilies(connection, from, searched.map(columnSql));
    const byType = (some: readonly ShelvedProperty[]) => {
      const of = (type: PropertyType) => some.filter(({ property }) => property.type === type);
      return { integer: of('integer'), text: of('text'), boolean: of('boolean') };
    };
    return [
      {
        collection,
        searched,
        words: words.filter(({ within }) => !within.every((at) => isKey(searched[at]))),
        facetWords: searched.length === 0 ? [] : facetWords(collection.about?.column.facets ?? []),
        filters: byType(known.filter(({ operators }) => operators.length > 0)),
        aggregated: byType(known.filter(({ metrics }) => metrics.length > 0)),
        groups: known.filter((one) => isGroup(one, collection.table.rows)),
      },
    ];
  });
}

function profiledOf({ table: name, column }: Property, { tables }: Profile): ProfiledColumn | undefined {
  const profiled = tables.find(({ table }) => table.name === name);
  return profiled?.columns.find((one) => one.column.name === column.name);
}

/** Values that some forty rows, or a fifth of a small table, are below and above. */
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

/** Words that two different names have. */
function sharedWords(connection: Database.Database, { table, column }: Property): readonly string[] {
  const names = connection
    .prepare<[], unknown>(
      `SELECT DISTINCT ${quoteIdentifier(column.name)} FROM ${quoteIdentifier(table)} LIMIT 5000`,
    )
    .pluck()
    .all();
  const counts = new Map<string, number>();
  for (const word of names.flatMap((name) => [...new Set(String(name).match(/\p{L}{4,}/gu))]))
    counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].flatMap(([word, n]) => (n > 1 && isSearchable(word.toLowerCase()) ? [word] : []));
}

/** Whether a property has few values, each of several rows, by which people would divide them. */
function isGroup({ property, profiled: { kind, column } }: ShelvedProperty, rows: number): boolean {
  const { distinct } = column.statistics;
  // For each lessons per week
  if (/\bper\b/.test(lowerWords(column.name).join(' '))) return false;
  const divides = property.type === 'text' ? kind === 'category' : kind === 'year' || kind === 'ordinal';
  return divides && distinct >= 2 && distinct <= MOST_GROUPS && distinct * 2 <= rows;
}

type Plain = Pick<ShelvedProperty, 'property' | 'profiled' | 'shared'>;

function operatorsOf({ property, profiled, shared }: Plain): readonly string[] {
  if (property.type === 'boolean') return FILTER_OPERATORS.boolean;
  const { kind } = profiled;
  if (property.type === 'text')
    return FILTER_OPERATORS.text.filter((one) => (one === '=' ? kind === 'category' : shared.length > 0));
  if (kind === 'ordinal') return ['='];
  if (kind !== 'number' && kind !== 'year') return [];
  const isOne = kind === 'year' || isFewNumber(profiled);
  return FILTER_OPERATORS.integer.filter((one) => one !== '=' || isOne);
}

/** How many have a value is asked where some have none; the type of values, never. */
function metricsOf({ property, profiled }: Plain, isOwn: boolean): readonly string[] {
  const { kind, nulls, column } = profiled;
  const { distinct, rows } = column.statistics;
  const counted = isOwn && nulls >= 0.02 && nulls <= 0.98 && property.type !== 'boolean' ? ['COUNT'] : [];
  const repeats = distinct * 3 <= rows * (1 - nulls);
  if (property.type === 'boolean')
    return ['TOTAL_TRUE', 'TOTAL_FALSE', ...(nulls === 0 ? ['PERCENTAGE_TRUE', 'PERCENTAGE_FALSE'] : [])];
  if (property.type === 'text')
    return [...counted, ...(kind === 'category' && repeats ? ['TOP_OCCURRENCES'] : [])];
  if (!isOwn || kind !== 'number') return counted;
  const named = aggregatesOf(column).flatMap((one) => (one === 'AVG' ? ['MEAN', 'MEDIAN'] : [one]));
  return [...counted, ...named, ...(repeats && distinct <= MOST_MODES ? ['MODE'] : [])];
}

/** The first thing that a collection lacks for a combination, or null. */
export function lackOf(shelf: Shelf, { search, filter, aggregation, group }: Combination): string | null {
  if (search && shelf.words.length === 0 && shelf.facetWords.length === 0) return 'words to search for';
  if (filter && shelf.filters[filter].length === 0) return `a ${NOUNS[filter]} property to filter by`;
  if (aggregation && shelf.aggregated[aggregation].length === 0)
    return `a ${NOUNS[aggregation]} property to aggregate`;
  if (group && shelf.groups.length === 0) return 'a property with few values to group by';
  return null;
}

const NOUNS = { integer: 'number', text: 'text', boolean: 'boolean' } as const;

/** A call with its search in plain SQL. */
export interface DrawnCall {
  readonly args: QueryArguments;
  readonly search: SearchSql | null;
}

interface Draw {
  readonly random: Random;
  readonly balance: Balance;
}

/** The share of searches with a second word. */
const SECOND_WORD = 0.15;
const TOPS = [1, 3, 5];
/** The share of rows that a value must have to be worth a filter. */
const RARE = 0.02;
const USUAL = 0.8;

/** null when the collection's values do not offer the combination. */
export function drawArguments(shelf: Shelf, combination: Combination, draw: Draw): DrawnCall | null {
  const { random, balance } = draw;
  const { filter: filterType, aggregation: aggregationType } = combination;
  // A list without search is long, so its filter is near an end of the values.
  const isList = !combination.search && aggregationType === null && !combination.group;
  const filter = filterType && drawFilter(shelf, filterType, isList, draw);
  const aggregation = aggregationType && drawAggregation(shelf, aggregationType, filter ?? null, draw);
  const used = [filter, aggregation].flatMap((one) => one?.value.property_name ?? []);
  const groups = shelf.groups.filter(({ property }) => !used.includes(property.name));
  const group = combination.group
    ? balance.pick(groups, ({ property }) => `group by ${property.type}`)
    : null;
  const taken = group ? [...used, group.property.name] : used;
  const search = combination.search ? drawSearch(shelf, taken, random) : null;
  if (search === undefined || filter === undefined || aggregation === undefined || group === undefined)
    return null;
  if (!needsJoin(shelf.collection, taken)) return null;
  const args = {
    collection_name: shelf.collection.name,
    ...(search ? { search_query: search.text } : {}),
    ...(filter ? { [filter.name]: filter.value } : {}),
    ...(aggregation ? { [aggregation.name]: aggregation.value } : {}),
    ...(group ? { groupby_property: group.property.name } : {}),
  } as QueryArguments;
  return { args, search: search ? search.sql : null };
}

/** Whether, of joined tables, something of the other table is asked for. */
function needsJoin({ joined, properties }: Collection, taken: readonly string[]): boolean {
  const isOther = ({ table, name }: Property) => table === joined?.to.name && taken.includes(name);
  return !joined || taken.length === 0 || properties.some(isOther);
}

interface DrawnSearch {
  readonly text: string;
  readonly sql: SearchSql;
}

function drawSearch(shelf: Shelf, taken: readonly string[], random: Random): DrawnSearch | undefined {
  const { about } = shelf.collection;
  return about ? drawFacets(shelf, about.name, random) : drawWords(shelf, taken, random);
}

/** A word for each facet; any of its phrases may be in the text. */
function drawFacets({ facetWords }: Shelf, column: string, random: Random): DrawnSearch | undefined {
  const first = random.pick(facetWords);
  if (!first) return undefined;
  const second = random.chance(SECOND_WORD)
    ? random.pick(facetWords.filter(({ facet }) => facet !== first.facet))
    : undefined;
  const drawn = second ? [first, second] : [first];
  return {
    text: drawn.map(({ forms }) => random.pick(forms.filter(isSearchable))).join(' '),
    sql: { columns: [], words: [], about: { column, facets: drawn.map(({ facet }) => facet.phrases) } },
  };
}

/** Words in any of their forms, of texts that the call does not use otherwise. */
function drawWords(
  { words: all, searched }: Shelf,
  taken: readonly string[],
  random: Random,
): DrawnSearch | undefined {
  const words = all.filter(({ within }) => !within.some((at) => taken.includes(searched[at] ?? '')));
  // Several forms show that a search is more than a pattern.
  const inflected = words.filter(({ forms }) => forms.length > 1);
  const first = random.pick(inflected.length > 0 && random.chance(0.7) ? inflected : words);
  if (!first) return undefined;
  const second = random.chance(SECOND_WORD)
    ? random.pick(words.filter(({ share }) => share >= 0.1))
    : undefined;
  const families = second && second !== first ? [first, second] : [first];
  return {
    text: families.map(({ forms }) => random.pick(forms.filter(isSearchable))).join(' '),
    sql: { columns: searched, words: families.map(({ all }) => all) },
  };
}

interface Argument {
  readonly name: string;
  readonly value: { readonly property_name: string };
}

function drawFilter(
  { filters }: Shelf,
  type: PropertyType,
  isList: boolean,
  { random, balance }: Draw,
): Argument | undefined {
  const one = random.pick(filters[type]);
  const operator = one && balance.pick(one.operators, (each) => `${type} ${each}`);
  if (!one || !operator) return undefined;
  const value = VALUES[type](one, operator, isList, random);
  const { name } = one.property;
  return value === undefined
    ? undefined
    : {
        name: `${type}_property_filter`,
        value: { property_name: name, operator, value } as Argument['value'],
      };
}

type DrawValue = (one: ShelvedProperty, operator: string, isList: boolean, random: Random) => unknown;

const VALUES: Readonly<Record<PropertyType, DrawValue>> = {
  integer({ profiled, ends }, operator, isList, random) {
    const end = isList ? (operator.startsWith('<') ? ends?.low : ends?.high) : undefined;
    const one = random.pick(profiled.steps);
    if (operator === '=') return one === undefined ? undefined : Number(one);
    const value = end ?? one;
    const bound = value === undefined ? Number.NaN : Number(roundBound(value, profiled));
    const isBound = operator.startsWith('>') || bound !== 0;
    return isBound && Math.abs(bound) <= Number.MAX_SAFE_INTEGER ? bound : undefined;
  },
  text({ profiled: { common }, shared }, operator, _isList, random) {
    if (operator === 'LIKE') return random.pick(shared);
    const usual = common.filter(({ share }) => share >= RARE && share <= USUAL);
    const value = random.pick(usual)?.value;
    return typeof value === 'string' && value.trim() !== '' ? value : undefined;
  },
  // What is not false is true: it is asked for as true.
  boolean: (_one, operator, _isList, random) => operator === '!=' || random.chance(0.5),
};

function drawAggregation(
  shelf: Shelf,
  type: PropertyType,
  filter: Argument | null,
  { random, balance }: Draw,
): Argument | undefined {
  const fixed = filter?.value.property_name;
  const one = random.pick(shelf.aggregated[type].filter(({ property }) => property.name !== fixed));
  const metrics = one && balance.pick(one.metrics, (each) => `${type} ${each}`);
  if (!one || !metrics) return undefined;
  const top = metrics === 'TOP_OCCURRENCES' ? { top_occurrences_limit: random.pick(TOPS) } : {};
  const value = { property_name: one.property.name, metrics, ...top };
  return { name: `${type}_property_aggregation`, value };
}

interface ToolSqlOptions {
  /** Each word must occur, in one of its forms, in a searched column. */
  readonly search: SearchSql | null;
  /** Order of equally frequent values; ASC by default. */
  readonly ties?: 'ASC' | 'DESC';
}

interface SearchSql {
  readonly columns: readonly string[];
  /** The forms of each word searched for, in lower case. */
  readonly words: readonly (readonly string[])[];
  /** The phrases of each facet, and the column that holds them. */
  readonly about?: { readonly column: string; readonly facets: readonly (readonly string[])[] };
}

/** Gold SQL over plain tables, independent of the tool's own SQL, so that one proves the other. */
export function toolSql(args: QueryArguments, collection: Collection, options: ToolSqlOptions): string {
  const { from, column } = collectionSql(collection);
  const tests = testsOf(args, collection, options.search);
  const group = args.groupby_property === undefined ? null : column(args.groupby_property);
  const base: Base = { from: `FROM ${from}`, column, tests, group, ties: options.ties ?? 'ASC' };
  const type = PROPERTY_TYPES.find((each) => args[`${each}_property_aggregation`] !== undefined);
  if (type === undefined) {
    if (group) return plain(base, 'COUNT(*)');
    const columns = collection.properties.map(({ name }) => column(name));
    return `SELECT ${columns.join(', ')} ${base.from}${where(tests)}`;
  }
  const aggregation = args[`${type}_property_aggregation`] as Aggregation;
  const property = propertyNamed(collection, aggregation.property_name);
  return METRIC_SQL[aggregation.metrics as keyof typeof METRIC_SQL](base, property, aggregation);
}

/** The number of items that a call is about; of those with the value that it counts. */
export function countSql(args: QueryArguments, collection: Collection): string {
  const { from, column } = collectionSql(collection);
  const { groupby_property: group, boolean_property_aggregation: flag } = args;
  const counted = args.integer_property_aggregation ?? args.text_property_aggregation;
  const which = flag?.metrics.endsWith('TRUE') ? 'true' : 'false';
  const tests = [
    ...testsOf(args, collection, null),
    ...(counted ? [`${column(counted.property_name)} IS NOT NULL`] : []),
    ...(flag
      ? [`${column(flag.property_name)} = ${stored(propertyNamed(collection, flag.property_name), which)}`]
      : []),
  ];
  const base = {
    from: `FROM ${from}`,
    column,
    tests,
    group: group ? column(group) : null,
    ties: 'ASC',
  } as const;
  return plain(base, 'COUNT(*)');
}

interface Base {
  readonly from: string;
  readonly column: CollectionSql['column'];
  readonly tests: readonly string[];
  /** Quoted. */
  readonly group: string | null;
  readonly ties: 'ASC' | 'DESC';
}

interface Aggregation {
  readonly property_name: string;
  readonly metrics: string;
  readonly top_occurrences_limit?: number;
}

type MetricSql = (base: Base, property: Property, aggregation: Aggregation) => string;

const METRIC_SQL = {
  COUNT: (base, { name }) => plain(base, `COUNT(${base.column(name)})`),
  MIN: (base, { name }) => plain(base, `MIN(${base.column(name)})`),
  MAX: (base, { name }) => plain(base, `MAX(${base.column(name)})`),
  MEAN: (base, { name }) => plain(base, `AVG(${base.column(name)})`),
  SUM: (base, { name }) => plain(base, `SUM(${base.column(name)})`),
  TOTAL_TRUE: (base, property) => plain(base, total(base, property, 'true')),
  TOTAL_FALSE: (base, property) => plain(base, total(base, property, 'false')),
  PERCENTAGE_TRUE: (base, property) => plain(base, share(base, property, 'true')),
  PERCENTAGE_FALSE: (base, property) => plain(base, share(base, property, 'false')),
  MEDIAN: median,
  MODE: mode,
  TOP_OCCURRENCES: topOccurrences,
} as const satisfies Readonly<Record<string, MetricSql>>;

function plain({ from, tests, group }: Base, metric: string): string {
  const by = group ? ` GROUP BY ${group}` : '';
  return `SELECT ${group ? `${group}, ` : ''}${metric} ${from}${where(tests)}${by}`;
}

function total({ column }: Base, property: Property, which: 'true' | 'false'): string {
  return `COUNT(CASE WHEN ${column(property.name)} = ${stored(property, which)} THEN 1 END)`;
}

function share({ column: columnOf }: Base, property: Property, which: 'true' | 'false'): string {
  const column = columnOf(property.name);
  return `SUM(CASE WHEN ${column} = ${stored(property, which)} THEN 1.0 ELSE 0.0 END) / COUNT(${column})`;
}

/** The mean of the one or two values in the middle. */
function median({ from, tests, group, column: columnOf }: Base, { name }: Property): string {
  const column = columnOf(name);
  const partition = group ? `PARTITION BY ${group} ` : '';
  const windows = `ROW_NUMBER() OVER (${partition}ORDER BY ${column} IS NULL, ${column} + 0) AS place, COUNT(${column}) OVER (${partition.trim()}) AS known`;
  const rows = `SELECT ${group ? `${group} AS class, ` : ''}${column} AS value, ${windows} ${from}${where(tests)}`;
  const middle = 'AVG(CASE WHEN place IN ((known + 1) / 2, (known + 2) / 2) THEN value END)';
  return group
    ? `SELECT class, ${middle} FROM (${rows}) AS ranked GROUP BY class`
    : `SELECT ${middle} FROM (${rows}) AS ranked`;
}

function mode({ from, tests, group, ties, column: columnOf }: Base, { name }: Property): string {
  const column = columnOf(name);
  if (!group) {
    return `SELECT ${column} ${from}${where([...tests, `${column} IS NOT NULL`])} GROUP BY ${column} ORDER BY COUNT(*) DESC, ${column} ${ties} LIMIT 1`;
  }
  const place = `ROW_NUMBER() OVER (PARTITION BY ${group} ORDER BY ${column} IS NULL, COUNT(*) DESC, ${column} ${ties}) AS place`;
  const rows = `SELECT ${group} AS class, ${column} AS value, ${place} ${from}${where(tests)} GROUP BY ${group}, ${column}`;
  return `SELECT class, value FROM (${rows}) AS ranked WHERE place = 1`;
}

function topOccurrences(
  { from, tests, group, ties, column: columnOf }: Base,
  { name }: Property,
  { top_occurrences_limit: top = DEFAULT_TOP }: Aggregation,
): string {
  const column = columnOf(name);
  const known = where([...tests, `${column} IS NOT NULL`]);
  if (!group) {
    return `SELECT ${column}, COUNT(*) ${from}${known} GROUP BY ${column} ORDER BY COUNT(*) DESC, ${column} ${ties} LIMIT ${top}`;
  }
  const place = `ROW_NUMBER() OVER (PARTITION BY ${group} ORDER BY COUNT(*) DESC, ${column} ${ties}) AS place`;
  const rows = `SELECT ${group} AS class, ${column} AS value, COUNT(*) AS occurs, ${place} ${from}${known} GROUP BY ${group}, ${column}`;
  return `SELECT class, value, occurs FROM (${rows}) AS ranked WHERE place <= ${top}`;
}

function testsOf(args: QueryArguments, collection: Collection, search: SearchSql | null): string[] {
  const { column } = collectionSql(collection);
  const searched = (search?.columns ?? []).map(column);
  const words = [
    ...(search?.words ?? []).map((forms) => hasWord(searched, forms)),
    ...(search?.about?.facets ?? []).map((phrases) =>
      containsOne(column(search?.about?.column ?? ''), phrases),
    ),
  ];
  const { integer_property_filter: number, text_property_filter: text, boolean_property_filter: flag } = args;
  const tests = [
    number && `${column(number.property_name)} ${number.operator} ${number.value}`,
    text &&
      `${column(text.property_name)} ${text.operator} ${quoteText(text.operator === 'LIKE' ? `%${text.value}%` : text.value)}`,
    flag &&
      `${column(flag.property_name)} ${flag.operator === '=' ? '=' : '<>'} ${stored(propertyNamed(collection, flag.property_name), flag.value ? 'true' : 'false')}`,
  ];
  return [...words, ...tests.flatMap((test) => test ?? [])];
}

function containsOne(column: string, phrases: readonly string[]): string {
  const found = phrases.map((phrase) => `instr(${column}, ${quoteText(phrase)}) > 0`);
  return found.length === 1 ? found.join('') : `(${found.join(' OR ')})`;
}

/** A character class for anything but letters, accented ones included, and digits. */
const NO_LETTER = '[^a-z0-9À-ɏ]';

/** Whole words only: neither in `waldig` nor, for its `ß`, in `Großwald`. */
function hasWord(columns: readonly string[], forms: readonly string[]): string {
  const texts = columns.map((column) => `COALESCE(${column}, '')`).join(" || ' ' || ");
  const text = `lower(' ' || ${texts} || ' ')`;
  const found = forms.map((form) => `${text} GLOB '*${NO_LETTER}${form}${NO_LETTER}*'`);
  return found.length === 1 ? found.join('') : `(${found.join(' OR ')})`;
}

function where(tests: readonly string[]): string {
  return tests.length === 0 ? '' : ` WHERE ${tests.join(' AND ')}`;
}

function propertyNamed({ name, properties }: Collection, wanted: string): Property {
  const found = properties.find((property) => property.name === wanted);
  if (!found) throw new Error(`${name} has no property ${wanted}`);
  return found;
}

/** The SQL literal that the column stores for true or false. */
function stored({ name, truth }: Property, which: 'true' | 'false'): string {
  if (!truth) throw new Error(`${name} is no boolean`);
  const value = truth[which];
  return typeof value === 'string' ? quoteText(value) : String(value);
}
