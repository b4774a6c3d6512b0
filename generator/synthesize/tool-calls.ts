import type Database from 'better-sqlite3';
import {
  AGGREGATE_METRICS,
  DEFAULT_TOP,
  FILTER_OPERATORS,
  PROPERTY_TYPES,
  type PropertyType,
  type QueryArguments,
} from '../../contracts/query-tool.ts';
import {
  type Collection,
  collectionsOf,
  type Property,
  typeName,
} from '../../services/domain/query/collections.ts';
import { quoteIdentifier, quoteText } from '../../sql/index.ts';
import { type CollectionSql, collectionSql, planSearchIndexes } from '../oracle/served-copy.ts';
import type { Random } from '../variants/random.ts';
import type { SynthesisDomain } from './find-databases.ts';
import type { Profile, ProfiledColumn } from './profile.ts';
import { type FacetWord, facetWords, isSearchable, type WordFamily, wordFamilies } from './word-calls.ts';

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
}

type NumberMetric = (typeof AGGREGATE_METRICS)['integer'][number];

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

/** Collections that questions can be asked about, in the order of tables. */
export function shelvesOf(domain: SynthesisDomain, profile: Profile, connection: Database.Database): Shelf[] {
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

/** Whether a property has few values, each of several rows. */
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

/** The metrics that suit a number; years are not added up. */
function metricsOfNumber({ profiled }: ShelvedProperty): readonly NumberMetric[] {
  const { sum, average } = profiled.column.words ?? {};
  const isYear = profiled.use === 'year';
  return AGGREGATE_METRICS.integer.filter(
    (one) =>
      !(isYear && SUMMED.has(one)) &&
      !(one === 'SUM' && sum === false) &&
      !(one === 'MEAN' && average === false),
  );
}

const SUMMED: ReadonlySet<string> = new Set(['SUM', 'MEAN']);

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
  const search = combination.search ? drawSearch(shelf, random) : null;
  // A list without search is long, so its filter is near an end of the values.
  const isList = !combination.search && aggregationType === null && !combination.group;
  const filter = filterType && drawFilter(shelf, filterType, isList, draw);
  const aggregation = aggregationType && drawAggregation(shelf, aggregationType, filter ?? null, draw);
  const taken = [filter, aggregation].flatMap((one) => one?.value.property_name ?? []);
  const groups = shelf.groups.filter(({ property }) => !taken.includes(property.name));
  const group = combination.group
    ? balance.pick(groups, ({ property }) => `group by ${property.type}`)
    : null;
  if (search === undefined || filter === undefined || aggregation === undefined || group === undefined)
    return null;
  const args = {
    collection_name: shelf.collection.name,
    ...(search ? { search_query: search.text } : {}),
    ...(filter ? { [filter.name]: filter.value } : {}),
    ...(aggregation ? { [aggregation.name]: aggregation.value } : {}),
    ...(group ? { groupby_property: group.property.name } : {}),
  } as QueryArguments;
  return { args, search: search ? search.sql : null };
}

interface DrawnSearch {
  readonly text: string;
  readonly sql: SearchSql;
}

function drawSearch(shelf: Shelf, random: Random): DrawnSearch | undefined {
  const { about } = shelf.collection;
  return about ? drawFacets(shelf, about.name, random) : drawWords(shelf, random);
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

/** Words in any of their forms. */
function drawWords({ words, searched }: Shelf, random: Random): DrawnSearch | undefined {
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
  const operator = balance.pick(FILTER_OPERATORS[type], (each) => `${type} ${each}`);
  if (!one || !operator) return undefined;
  const value = (isList ? endOf(one, operator) : undefined) ?? VALUES[type](one, operator, random);
  const { name } = one.property;
  return value === undefined
    ? undefined
    : {
        name: `${type}_property_filter`,
        value: { property_name: name, operator, value } as Argument['value'],
      };
}

function endOf({ ends }: ShelvedProperty, operator: string): number | undefined {
  return operator.startsWith('<') ? ends?.low : operator.startsWith('>') ? ends?.high : undefined;
}

type DrawValue = (one: ShelvedProperty, operator: string, random: Random) => unknown;

const VALUES: Readonly<Record<PropertyType, DrawValue>> = {
  integer({ profiled: { common, steps } }, operator, random) {
    const usual = common.filter(({ share }) => share >= RARE && share <= USUAL).map(({ value }) => value);
    const value = random.pick(operator === '=' ? usual : steps);
    const number = Number(value);
    if (value === undefined || typeof value === 'string' || Math.abs(number) > Number.MAX_SAFE_INTEGER)
      return undefined;
    // More digits are unnatural; where each one counts, the value itself is used.
    return operator === '=' || Number.isInteger(number) ? number : Number(number.toPrecision(3));
  },
  text({ profiled: { common, steps, kind } }, operator, random) {
    const values = kind === 'category' ? common.map(({ value }) => value) : steps;
    if (operator === 'LIKE') {
      return random.pick(String(random.pick(values) ?? '').match(/[A-Za-z]{4,}/g) ?? []);
    }
    const usual = common.filter(({ share }) => share >= RARE && share <= USUAL);
    const value = random.pick(usual)?.value;
    return typeof value === 'string' && value.trim() !== '' ? value : undefined;
  },
  boolean: (_one, _operator, random) => random.chance(0.5),
};

function drawAggregation(
  shelf: Shelf,
  type: PropertyType,
  filter: Argument | null,
  { random, balance }: Draw,
): Argument | undefined {
  const fixed = filter?.value.property_name;
  const others = shelf.aggregated[type].filter(({ property }) => property.name !== fixed);
  const one = random.pick(others.length > 0 ? others : shelf.aggregated[type]);
  if (!one) return undefined;
  const offered: readonly string[] = type === 'integer' ? metricsOfNumber(one) : AGGREGATE_METRICS[type];
  const metrics = balance.pick(offered, (each) => `${type} ${each}`);
  if (metrics === undefined) return undefined;
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
  TYPE: (base, property) => plain(base, `CASE WHEN COUNT(*) >= 0 THEN '${typeName(property)}' END`),
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
