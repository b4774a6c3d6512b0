import type { Sql } from '../sql/sql.ts';
import { join, sql } from '../sql/sql.ts';

/** How many values a condition takes: one, two (`[low, high]`), a list, or none. */
export type Arity = 'one' | 'two' | 'list' | 'none';

export interface Condition {
  readonly arity: Arity;
  /** Completes "keep the rows whose value …". */
  readonly description: string;
  /** SQLite's own three-valued result; `values` has as many items as the arity says. */
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

/** Every condition of `filter_data`, and of the operations that take one. The first eight are the paper's. */
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
    // `& -1` makes a whole number of what is given, as `&` does of the value.
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

/** The condition of that name, which must exist. */
export function condition(name: string): Condition {
  return CONDITIONS[name as ConditionName];
}
