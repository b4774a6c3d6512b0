import type { Sql } from '../sql/sql.ts';
import { join, sql } from '../sql/sql.ts';

export interface Aggregation {
  /** Completes "computes …". */
  readonly description: string;
  /** False for those that return a position in the table: they are not computed per group. */
  readonly perGroup: boolean;
  readonly sql: (value: AggregateInput) => Sql;
}

export interface AggregateInput {
  /** null: the row itself, only counted. */
  readonly value: Sql | null;
  readonly distinct: boolean;
  readonly separator: Sql | null;
  /** Terms of the row order, for aggregations that depend on it. */
  readonly order: readonly Sql[];
}

const plain = (name: Sql, description: string): Aggregation => ({
  description,
  perGroup: true,
  sql: (input) => sql`${name}(${argument(input)})`,
});

/** Every aggregation; the first eight are the paper's. All but counting rows leave NULL out. */
export const AGGREGATIONS = {
  min: plain(sql`MIN`, 'the smallest value'),
  max: plain(sql`MAX`, 'the largest value'),
  sum: plain(sql`SUM`, 'the sum of the values; NULL when there are none'),
  mean: plain(sql`AVG`, 'the mean of the values; NULL when there are none'),
  count: plain(sql`COUNT`, 'how many values there are that are not NULL; for the key `*`, how many rows'),
  std: { description: 'the sample standard deviation of the values', perGroup: true, sql: deviation },
  argmin: {
    description: 'the position (from 0) of the first row with the smallest value',
    perGroup: false,
    sql: () => sql``,
  },
  argmax: {
    description: 'the position (from 0) of the first row with the largest value',
    perGroup: false,
    sql: () => sql``,
  },
  total: plain(sql`TOTAL`, 'the sum of the values as a real number; 0.0 when there are none'),
  median: plain(
    sql`MEDIAN`,
    'the number in the middle of the sorted values, or the mean of the two there; NULL when there are none, and an error for text',
  ),
  group_concat: {
    description:
      'the values as text, in row order unless `distinct`, with `separator` (a comma unless given) between them',
    perGroup: true,
    sql: (input) => {
      const separator = input.separator ? sql`, ${input.separator}` : sql``;
      // A distinct value has the position where SQLite meets it first, usually that of its first row.
      const order = input.order.length > 0 ? sql` ORDER BY ${join(input.order)}` : sql``;
      return sql`group_concat(${argument(input)}${separator}${order})`;
    },
  },
} as const satisfies Record<string, Aggregation>;

export type AggregationName = keyof typeof AGGREGATIONS;
export const AGGREGATION_NAMES = Object.keys(AGGREGATIONS) as [AggregationName, ...AggregationName[]];

/** The aggregation of that name, which must exist. */
export function aggregation(name: string): Aggregation {
  return AGGREGATIONS[name as AggregationName];
}

function argument(input: AggregateInput): Sql {
  if (input.value === null) return sql`*`;
  return input.distinct ? sql`DISTINCT ${input.value}` : input.value;
}

function deviation({ value, distinct }: AggregateInput): Sql {
  const x = value as Sql;
  const of = (v: Sql): Sql => {
    const spread = sql`(SUM(${v} * ${v}) - SUM(${v}) * 1.0 * SUM(${v}) / COUNT(${v}))`;
    return sql`sqrt(max(0, ${spread}) / (COUNT(${v}) - 1))`;
  };
  // Different values may have equal squares, which DISTINCT would merge.
  return distinct ? sql`(SELECT ${of(sql`value`)} FROM json_each(json_group_array(DISTINCT ${x})))` : of(x);
}
