import type { Metric } from '../../../contracts/query-tool.ts';
import type { Collection, Property } from '../../../services/domain/query-tool/collections.ts';
import type { Aggregate, Expr } from '../../../sql/index.ts';

export interface MetricContext {
  readonly collection: Collection;
  /** The properties that filters leave no NULL of. */
  readonly filtered: readonly Property[];
}

/** What an aggregate is called by the tool; null for one that it does not have. */
export function metricOf(
  { name, args, star, distinct, filter }: Aggregate,
  { collection, filtered }: MetricContext,
  propertyOf: (expr: Expr) => Property | null,
): { readonly property: Property; readonly name: Metric } | null {
  if (distinct || filter) return null;
  if (star) {
    const property = neverNull(collection, filtered);
    return name === 'count' && property ? { property, name: 'COUNT' } : null;
  }
  const [arg, ...others] = args;
  const property = arg && others.length === 0 ? propertyOf(arg) : null;
  const metric = property && METRIC_OF[property.type][name];
  return metric ? { property, name: metric } : null;
}

/**
 * The tool counts values, and so rows by a property that has one in every row: on neighbours too, where a column without
 * a NULL so far may have one.
 */
function neverNull({ properties }: Collection, [filtered]: MetricContext['filtered']): Property | undefined {
  const certain = properties.find(({ column }) => column.primary_key > 0 || column.not_null);
  return certain ?? filtered ?? properties.find(({ column }) => column.statistics.nulls === 0);
}

/** By SQLite's name for it, of a property of each type. */
const METRIC_OF: Readonly<Record<Property['type'], Readonly<Record<string, Metric>>>> = {
  integer: { count: 'COUNT', min: 'MIN', max: 'MAX', avg: 'MEAN', sum: 'SUM' },
  text: { count: 'COUNT' },
  boolean: { count: 'COUNT' },
};
