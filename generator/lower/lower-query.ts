import type { Catalog } from '../../contracts/catalog.ts';
import { type Metric, QUERY_TOOL } from '../../contracts/query-tool.ts';
import type { Call } from '../../contracts/sample.ts';
import {
  type Collection,
  collectionsOf,
  hasType,
  type Property,
} from '../../services/domain/query/collections.ts';
import { hasUnconvertedNumbers, likePattern } from '../../services/domain/query/compile-query.ts';
import {
  type Aggregate,
  type CompareOp,
  conjuncts,
  type Expr,
  type Literal,
  MIRRORED,
  type Query,
  type Select,
} from '../../sql/index.ts';

type Arguments = Readonly<Record<string, unknown>>;

/** The gold query as one call of the `query` tool, or null if the tool cannot express it. */
export function lowerToQuery(query: Query, catalog: Catalog): Call | null {
  if (query.kind !== 'select' || query.with.length > 0 || query.distinct || query.having) return null;
  const [first, ...others] = query.from;
  if (first?.source.kind !== 'table' || others.length > 0) return null;
  const { table } = first.source;
  const collection = collectionsOf(catalog).find((each) => each.name === table && !each.joined);
  const filters = collection && filtersOf(query.where, collection);
  const result = filters && collection && resultArguments(query, contextOf(collection, filters));
  if (!filters || !result) return null;
  return { name: QUERY_TOOL, arguments: { collection_name: collection.name, ...filters, ...result } };
}

/** null for conditions that filters cannot express. */
function filtersOf(where: Expr | null, collection: Collection): Arguments | null {
  const filters: Record<string, unknown> = {};
  for (const test of conjuncts(where)) {
    const filter = filterOf(test, collection);
    if (filter === null || Object.hasOwn(filters, filter.name)) return null;
    filters[filter.name] = filter.value;
  }
  return filters;
}

/** A filter removes rows whose property is NULL. */
function contextOf(collection: Collection, filters: Arguments): MetricContext {
  const names = Object.values(filters).map((filter) => (filter as FilterArgument['value']).property_name);
  return { collection, filtered: collection.properties.filter(({ name }) => names.includes(name)) };
}

/** Aggregations and group-by; null for queries that the tool cannot compute. */
function resultArguments(query: Select, context: MetricContext): Arguments | null {
  const { collection } = context;
  const [key, ...otherKeys] = query.groupBy;
  if (otherKeys.length > 0) return null;
  if (key === undefined) {
    const exprs = query.columns.map(({ expr }) => expr);
    if (!exprs.every((expr) => expr.kind === 'aggregate')) return allProperties(query, collection);
    return query.limit || query.orderBy.length > 0 ? null : metricsOf(exprs, context);
  }
  const group = propertyOf(key, collection);
  if (!group) return null;
  return mostFrequent(query, group, collection) ?? perGroup(query, group, context);
}

/** The tool returns results in the order of types, with at most one of each. */
function metricsOf(aggregates: readonly Aggregate[], context: MetricContext): Arguments | null {
  const metrics: Record<string, unknown> = {};
  for (const aggregate of aggregates) {
    const metric = metricOf(aggregate, context);
    if (!metric) return null;
    const name = `${metric.property.type}_property_aggregation`;
    if (ORDER.indexOf(name) <= ORDER.indexOf(Object.keys(metrics).at(-1) ?? '')) return null;
    metrics[name] = { property_name: metric.property.name, metrics: metric.name };
  }
  return metrics;
}

const ORDER = ['integer_property_aggregation', 'text_property_aggregation', 'boolean_property_aggregation'];

/** Whole rows need no arguments. */
function allProperties(query: Select, collection: Collection): Arguments | null {
  const names = query.columns.map(({ expr }) => propertyOf(expr, collection)?.name);
  const all = collection.properties.map(({ name }) => name);
  const isWhole = names.length === all.length && names.every((name, i) => name === all[i]);
  return isWhole && !query.limit && query.orderBy.length === 0 ? {} : null;
}

/** One row for each value of the group, which is the first column. */
function perGroup(query: Select, group: Property, context: MetricContext): Arguments | null {
  const { collection } = context;
  const [first, ...others] = query.columns.map(({ expr }) => expr);
  if (query.limit || !first || propertyOf(first, collection) !== group || others.length === 0) return null;
  const [order, ...more] = query.orderBy;
  if (more.length > 0) return null;
  if (order && (order.direction === 'desc' || order.nulls || propertyOf(order.expr, collection) !== group)) {
    return null;
  }
  if (!others.every((expr) => expr.kind === 'aggregate')) return null;
  const groupby_property = group.name;
  const [only, ...rest] = others;
  if (rest.length === 0 && only && isPlainCount(only)) return { groupby_property };
  const metrics = metricsOf(others, context);
  return metrics && { ...metrics, groupby_property };
}

/** `SELECT x, COUNT(*) … GROUP BY x ORDER BY COUNT(*) DESC LIMIT n`; for numbers, n must be 1. */
function mostFrequent(query: Select, group: Property, collection: Collection): Arguments | null {
  const [first, count, ...more] = query.columns.map(({ expr }) => expr);
  const [order, ...otherOrders] = query.orderBy;
  const { limit } = query;
  if (!first || propertyOf(first, collection) !== group || more.length > 0) return null;
  if (!limit || limit.offset || limit.count.kind !== 'literal' || limit.count.type !== 'integer') return null;
  const counts = (expr: Expr) =>
    expr.kind === 'aggregate' &&
    (isPlainCount(expr) ||
      (isCount(expr) && expr.args.every((arg) => propertyOf(arg, collection) === group)));
  if (order?.direction !== 'desc' || !counts(order.expr) || otherOrders.length > 0) return null;
  const top = Number(limit.count.value);
  if (group.type === 'text' && count && counts(count) && top >= 1) {
    const metrics = { metrics: 'TOP_OCCURRENCES', top_occurrences_limit: top };
    return { text_property_aggregation: { property_name: group.name, ...metrics } };
  }
  if (group.type !== 'integer' || count || top !== 1) return null;
  return { integer_property_aggregation: { property_name: group.name, metrics: 'MODE' } };
}

function isCount({ name, distinct, filter }: Aggregate): boolean {
  return name === 'count' && !distinct && !filter;
}

function isPlainCount(aggregate: Aggregate): boolean {
  return isCount(aggregate) && aggregate.star;
}

function propertyOf(expr: Expr, { properties }: Collection): Property | null {
  return expr.kind === 'column' ? (properties.find(({ name }) => name === expr.name) ?? null) : null;
}

interface FilterArgument {
  readonly name: string;
  readonly value: { readonly property_name: string; readonly operator: string; readonly value: unknown };
}

/** null if no filter expresses the condition. */
function filterOf(test: Expr, collection: Collection): FilterArgument | null {
  if (test.kind === 'like') return likeFilter(test, collection);
  if (test.kind !== 'compare') return null;
  const [left, right] = [propertyOf(test.left, collection), propertyOf(test.right, collection)];
  const [property, literal] = left ? [left, test.right] : [right, test.left];
  if (!property || literal.kind !== 'literal') return null;
  const operator = left ? test.op : MIRRORED[test.op];
  const type = property.alsoType === null ? property.type : literal.type === 'text' ? 'text' : 'integer';
  const value = FILTER_VALUES[type](property, operator, literal);
  return value && argument(type, property, value.operator, value.value);
}

type OperatorAndValue = Omit<FilterArgument['value'], 'property_name'>;

const FILTER_VALUES: Readonly<
  Record<Property['type'], (property: Property, op: CompareOp, literal: Literal) => OperatorAndValue | null>
> = {
  integer(_, operator, literal) {
    if (literal.type !== 'integer' && literal.type !== 'real') return null;
    if (!['=', '<', '>', '<=', '>='].includes(operator)) return null;
    const whole = typeof literal.value === 'bigint' && Number.isSafeInteger(Number(literal.value));
    return { operator, value: whole ? Number(literal.value) : literal.value };
  },
  text(property, operator, literal) {
    // SQL distinguishes a numeric text from the number; the tool does not.
    if (hasUnconvertedNumbers(property) && !Number.isNaN(Number(literal.value))) return null;
    return literal.type === 'text' && operator === '=' ? { operator, value: literal.value } : null;
  },
  boolean({ truth }, operator, literal) {
    if (operator !== '=' && operator !== '!=') return null;
    if (literal.value === truth?.true) return { operator, value: true };
    return literal.value === truth?.false ? { operator, value: false } : null;
  },
};

function likeFilter(
  { op, expr, pattern, escape: escapedBy, negated }: Extract<Expr, { kind: 'like' }>,
  collection: Collection,
): FilterArgument | null {
  const property = propertyOf(expr, collection);
  if (op !== 'like' || escapedBy || negated || !property || !hasType(property, 'text')) return null;
  if (pattern.kind !== 'literal' || pattern.type !== 'text') return null;
  return likePattern(pattern.value) === pattern.value
    ? argument('text', property, 'LIKE', pattern.value)
    : null;
}

function argument(
  type: Property['type'],
  { name }: Property,
  operator: string,
  value: unknown,
): FilterArgument {
  return { name: `${type}_property_filter`, value: { property_name: name, operator, value } };
}

interface MetricContext {
  readonly collection: Collection;
  /** Properties that filters leave without NULLs. */
  readonly filtered: readonly Property[];
}

/** null for aggregates that the tool does not have. */
function metricOf(
  { name, args, star, distinct, filter }: Aggregate,
  { collection, filtered }: MetricContext,
): { readonly property: Property; readonly name: Metric } | null {
  if (distinct || filter) return null;
  if (star) {
    const property = neverNull(collection, filtered);
    return name === 'count' && property ? { property, name: 'COUNT' } : null;
  }
  const [arg, ...others] = args;
  const property = arg && others.length === 0 ? propertyOf(arg, collection) : null;
  const metric = property && METRIC_OF[property.type][name];
  return metric ? { property, name: metric } : null;
}

/** The tool counts values, so rows are counted by a property that is NOT NULL on neighbours too. */
function neverNull({ properties }: Collection, [filtered]: MetricContext['filtered']): Property | undefined {
  const certain = properties.find(({ column }) => column.primary_key > 0 || column.not_null);
  return certain ?? filtered ?? properties.find(({ column }) => column.statistics.nulls === 0);
}

const METRIC_OF: Readonly<Record<Property['type'], Readonly<Record<string, Metric>>>> = {
  integer: { count: 'COUNT', min: 'MIN', max: 'MAX', avg: 'MEAN', sum: 'SUM' },
  text: { count: 'COUNT' },
  boolean: { count: 'COUNT' },
};
