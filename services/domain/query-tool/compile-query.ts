import { declaredAffinity } from '../../../contracts/column-affinity.ts';
import type { Metric } from '../../../contracts/query-tool.ts';
import { facetIndex, searchIndex } from '../../../contracts/search-index.ts';
import { bind, identifier, join, nothing, type Sql, sql } from '../tools/sql/sql.ts';
import { type Collection, type Property, typeName } from './collections.ts';
import type { QueryAggregation, QueryFilter, ReadQuery } from './read-query.ts';
import type { SearchWords } from './search-words.ts';

/** One SELECT, and what its columns are called. */
export interface CompiledQuery {
  readonly select: Sql;
  readonly columns: readonly string[];
}

/** A call of the tool as one SELECT; everything that it gives holds at once. */
export function compileQuery(query: ReadQuery): CompiledQuery {
  const [first] = query.aggregations;
  if (first?.metric === 'TOP_OCCURRENCES') return topOccurrences(query, first);
  if (first || query.group) return groups(query);
  return rows(query);
}

/** The rows themselves: those that fit a search for words best first, else in the table's order. */
function rows(query: ReadQuery): CompiledQuery {
  const { collection, search } = query;
  const columns = collection.properties.map(({ name }) => name);
  const order = collection.table.has_rowid ? sql` ORDER BY t.rowid` : nothing;
  const list = join(collection.properties.map(columnOf));
  if (!search || collection.about)
    return { columns, select: sql`SELECT ${list} FROM ${tableOf(query)}${where(query)}${order}` };
  const index = identifier(searchIndex(collection.name));
  const tests = join([sql`${index} MATCH ${matching(index, search)}`, ...testsOf(query.filters)], ' AND ');
  const select = sql`SELECT ${list} FROM ${index} JOIN ${tableOf(query)} ON t.rowid = ${index}.rowid WHERE ${tests} ORDER BY bm25(${index}), t.rowid`;
  return { columns, select };
}

/** One row, or one for each value of the group; the groups in their order. */
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

/** The most frequent values, in each group if there is one; of values as frequent, the smaller first. */
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

/** Over the values that there are: NULL counts nowhere. */
const METRIC_SQL: Readonly<Record<Metric, MetricSql>> = {
  COUNT: (value) => sql`COUNT(${value})`,
  TYPE: (_, { property }) => once(bind(typeName(property))),
  MIN: (value) => sql`MIN(${value})`,
  MAX: (value) => sql`MAX(${value})`,
  MEAN: (value) => sql`AVG(${value})`,
  // A text among the numbers, which median() refuses, counts as in a sum: as the number that it begins with, or 0.
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

/** A value that no row changes, as an aggregate: one for all rows, or for each group. */
function once(value: Sql): Sql {
  return sql`CASE WHEN COUNT(*) >= 0 THEN ${value} END`;
}

function counted(value: Sql, property: Property, which: 'true' | 'false'): Sql {
  return sql`COUNT(CASE WHEN ${value} = ${stored(property, which)} THEN 1 END)`;
}

function stored({ truth }: Property, which: 'true' | 'false'): Sql {
  return bind(truth?.[which] ?? null);
}

/** The most frequent value, the smallest of several; once more over the rows, since no aggregate of SQLite gives it. */
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
  const byWords = wordTest(collection, search, table);
  return [
    collection.about ? aboutTest(collection, collection.about, search, table, byWords) : byWords,
    ...tests,
  ];
}

function wordTest({ name }: Collection, search: SearchWords, table: Sql): Sql {
  const index = identifier(searchIndex(name));
  return sql`${table}.rowid IN (SELECT rowid FROM ${index} WHERE ${index} MATCH ${matching(index, search)})`;
}

/**
 * Rows whose text has, for each word that phrases of some facets have, a phrase of one of these. Where no facet knows
 * any of the words, they are looked for themselves.
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

/** Rows that have every word; where none has, those that have any. */
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
 * Whether a column holds numbers that SQLite never finds equal to a text: it compares '12' as 12 in columns of numeric
 * affinity only. Beside a CAST to NUMERIC it does so too.
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

/** A table; or two joined, with the properties as columns and the row ids of the first. */
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

function freeName(name: string, taken: Set<string>): string {
  let free = name;
  for (let n = 2; taken.has(free); n++) free = `${name}_${n}`;
  taken.add(free);
  return free;
}
