import { DEFAULT_TOP, PROPERTY_TYPES, type QueryArguments } from '../../../contracts/query-tool.ts';
import { type Collection, type Property, typeName } from '../../../services/domain/query-tool/collections.ts';
import { quoteText } from '../../../sql/index.ts';
import { type CollectionSql, collectionSql } from '../../served-copy/collection-sql.ts';

export interface ToolSqlOptions {
  /** What the search means: that of each word, one of its forms stands in a searched column. */
  readonly search: SearchSql | null;
  /** Which of several values that are as frequent comes first; the smaller one unless given. */
  readonly ties?: 'ASC' | 'DESC';
}

export interface SearchSql {
  readonly columns: readonly string[];
  /** The forms of each word that is searched for, in lower case. */
  readonly words: readonly (readonly string[])[];
  /** Of what a text is to be about: a column, and for each facet the phrases that say so. */
  readonly about?: { readonly column: string; readonly facets: readonly (readonly string[])[] };
}

/**
 * Gold SQL for a call of the `query` tool, over the plain tables. It shares nothing with the SQL that the tool runs, so
 * that one proves the other: patterns for the index of words, windows for medians and most frequent values, CASE for shares.
 */
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
    ...(search?.about?.facets ?? []).map((phrases) => saysOne(column(search?.about?.column ?? ''), phrases)),
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

function saysOne(column: string, phrases: readonly string[]): string {
  const found = phrases.map((phrase) => `instr(${column}, ${quoteText(phrase)}) > 0`);
  return found.length === 1 ? found.join('') : `(${found.join(' OR ')})`;
}

/** Letters with accents and the like are letters too. */
const NO_LETTER = '[^a-z0-9À-ɏ]';

/** Whether one of the forms stands as a word in the columns' texts: neither in `waldig` nor, for its `ß`, in `Großwald`. */
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

/** What the column holds for true or for false, as SQL. */
function stored({ name, truth }: Property, which: 'true' | 'false'): string {
  if (!truth) throw new Error(`${name} is no boolean`);
  const value = truth[which];
  return typeof value === 'string' ? quoteText(value) : String(value);
}
