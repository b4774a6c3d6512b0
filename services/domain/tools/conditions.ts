import { join, type Sql, sql } from './sql.ts';

/** Number of values of a condition: one, two (`[low, high]`), a list, or none. */
export type Arity = 'one' | 'two' | 'list' | 'none';

export interface Condition {
  readonly arity: Arity;
  /** Completes "keep the rows whose value …". */
  readonly description: string;
  /** SQLite's three-valued result. The arity determines the length of `values`. */
  readonly sql: (left: Sql, values: readonly Sql[]) => Sql;
}

const one = (description: string, write: (left: Sql, value: Sql) => Sql): Condition => ({
  arity: 'one',
  description,
  sql: (left, values) => write(left, values[0] as Sql),
});

const two = (description: string, write: (left: Sql, low: Sql, high: Sql) => Sql): Condition => ({
  arity: 'two',
  description,
  sql: (left, values) => write(left, values[0] as Sql, values[1] as Sql),
});

/** The conditions of `filter_data`, and of operations with a condition. The first eight are the paper's. */
export const CONDITIONS = {
  equal_to: one('equals the given value', (left, value) => sql`${left} = ${value}`),
  not_equal_to: one(
    'is not equal to the given value (NULL never is)',
    (left, value) => sql`${left} <> ${value}`,
  ),
  greater_than: one('is greater than the given value', (left, value) => sql`${left} > ${value}`),
  less_than: one('is less than the given value', (left, value) => sql`${left} < ${value}`),
  greater_than_equal_to: one('is greater than or equal to the given value', (l, v) => sql`${l} >= ${v}`),
  less_than_equal_to: one('is less than or equal to the given value', (l, v) => sql`${l} <= ${v}`),
  contains: one(
    'has the given text in it (case matters)',
    (left, value) => sql`instr(${left}, ${value}) > 0`,
  ),
  like: one(
    'matches the given LIKE pattern: % is any text, _ any one character (case of ASCII letters does not matter)',
    (left, value) => sql`${left} LIKE ${value}`,
  ),
  not_like: one('does not match the given LIKE pattern', (left, value) => sql`${left} NOT LIKE ${value}`),
  starts_with: one(
    'begins with the given text (case matters)',
    (left, value) => sql`instr(${left}, ${value}) = 1`,
  ),
  ends_with: one(
    'ends with the given text (case matters)',
    (left, value) =>
      sql`(length(${left}) >= length(${value}) AND substr(${left}, length(${left}) - length(${value}) + 1) = CAST(${value} AS TEXT))`,
  ),
  glob: one(
    'matches the given GLOB pattern: * is any text, ? any one character, [abc] one of these (case matters)',
    (l, v) => sql`${l} GLOB ${v}`,
  ),
  not_glob: one('does not match the given GLOB pattern', (left, value) => sql`${left} NOT GLOB ${value}`),
  between: two(
    'lies between two given values, both included',
    (left, low, high) => sql`${left} BETWEEN ${low} AND ${high}`,
  ),
  not_between: two(
    'does not lie between two given values',
    (l, low, high) => sql`${l} NOT BETWEEN ${low} AND ${high}`,
  ),
  in: { arity: 'list', description: 'is one of the given values', sql: (l, v) => sql`${l} IN (${join(v)})` },
  not_in: {
    arity: 'list',
    description: 'is none of the given values (as in SQL, no row is kept when one of them is NULL)',
    sql: (left, values) => sql`${left} NOT IN (${join(values)})`,
  },
  has_bits: one(
    'is a whole number that has all the given bits set (4 is the third bit, 6 the second and the third)',
    // `& -1` converts the operand to an integer, as `&` does with the value.
    (left, value) => sql`(${left} & ${value}) = (${value} & -1)`,
  ),
  lacks_bits: one(
    'is a whole number that has none of the given bits set',
    (left, value) => sql`(${left} & ${value}) = 0`,
  ),
  is_null: { arity: 'none', description: 'is NULL', sql: (left) => sql`${left} IS NULL` },
  is_not_null: { arity: 'none', description: 'is not NULL', sql: (left) => sql`${left} IS NOT NULL` },
} as const satisfies Record<string, Condition>;

export type ConditionName = keyof typeof CONDITIONS;
export const CONDITION_NAMES = Object.keys(CONDITIONS) as [ConditionName, ...ConditionName[]];

export function condition(name: string): Condition {
  return CONDITIONS[name as ConditionName];
}

export interface Aggregation {
  /** Completes "computes …". */
  readonly description: string;
  /** False for those that return a position in the table, which are not computed per group. */
  readonly perGroup: boolean;
  readonly sql: (value: AggregateInput) => Sql;
}

export interface AggregateInput {
  /** null to count rows. */
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

/** The aggregations; the first eight are the paper's. All but counting rows ignore NULL. */
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
      // A distinct value keeps the position where SQLite meets it first, usually that of its first row.
      const order = input.order.length > 0 ? sql` ORDER BY ${join(input.order)}` : sql``;
      return sql`group_concat(${argument(input)}${separator}${order})`;
    },
  },
} as const satisfies Record<string, Aggregation>;

export type AggregationName = keyof typeof AGGREGATIONS;
export const AGGREGATION_NAMES = Object.keys(AGGREGATIONS) as [AggregationName, ...AggregationName[]];

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
