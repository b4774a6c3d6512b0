/** A value bound to a statement. Integers are BigInt, since better-sqlite3 binds numbers as REAL. */
export type Bound = string | bigint | number | null;

/** An SQL fragment and the values of its placeholders, in text order. */
export interface Sql {
  readonly text: string;
  readonly params: readonly Bound[];
}

/** A complete SELECT for the driver, with parameters `p0`, `p1`, … */
export interface Statement {
  readonly sql: string;
  readonly parameters: Readonly<Record<string, Bound>>;
}

/** The placeholder of a value. Unlike `?`, it cannot occur in a quoted name. */
const HOLE = '\u0000';

/** A fragment with others interpolated. Literal text can only come from the template itself. */
export function sql(strings: TemplateStringsArray, ...parts: readonly Sql[]): Sql {
  let text = strings[0] ?? '';
  const params: Bound[] = [];
  parts.forEach((part, i) => {
    text += part.text + (strings[i + 1] ?? '');
    params.push(...part.params);
  });
  return { text, params };
}

export function bind(value: Bound): Sql {
  return { text: HOLE, params: [value] };
}

/** The only place that turns a name into SQL. */
export function identifier(name: string): Sql {
  return { text: `"${name.replaceAll('"', '""').replaceAll(HOLE, '')}"`, params: [] };
}

export function join(parts: readonly Sql[], separator: ', ' | ' AND ' | ' OR ' = ', '): Sql {
  return {
    text: parts.map((part) => part.text).join(separator),
    params: parts.flatMap((part) => part.params),
  };
}

export const nothing: Sql = { text: '', params: [] };

/** ` ORDER BY …`, or nothing for no terms. */
export function orderClause(terms: readonly Sql[]): Sql {
  return terms.length === 0 ? nothing : sql` ORDER BY ${join(terms)}`;
}

/** Turns a fragment into a statement: each placeholder becomes a named parameter. */
export function toStatement(piece: Sql): Statement {
  let next = 0;
  const text = piece.text.replaceAll(HOLE, () => `:p${next++}`);
  return { sql: text, parameters: Object.fromEntries(piece.params.map((value, i) => [`p${i}`, value])) };
}

/**
 * A table under construction: one SELECT that is not yet printed. Operations extend it as long as one flat SELECT
 * suffices, so that filters apply directly to base columns (with SQLite's affinity, collation and indexes); `nested`
 * wraps it where the order of operations demands.
 */
export interface Relation {
  /** Lazy: by the time it is called, nested SELECTs know which of their columns are used. */
  readonly from: () => Sql;
  readonly where: readonly Sql[];
  readonly keys: readonly string[];
  /** The column's expression. Calling it adds the column to every inner SELECT. */
  readonly column: (key: string) => Sql;
  /** Sort keys, the latest first, followed by a row's identity, so that the order is deterministic. */
  readonly order: readonly OrderKey[];
  /** Rows to keep, after ordering. */
  readonly slice: { readonly n: number; readonly offset: number } | null;
  /** True if a column is a window function. Filters must then be outside, since they would change the window. */
  readonly windowed: boolean;
  /** Set for groups: the last `keys` order keys are the group's, and `sorts` are the directions of the sorts since. */
  readonly groups?: { readonly keys: number; readonly sorts: readonly boolean[] } | null;
}

/** What a relation begins with: all rows, in no order. */
export const WHOLE = { where: [], order: [], slice: null, windowed: false } as const;

export interface OrderKey {
  readonly expr: () => Sql;
  readonly descending: boolean;
}

/** Generates aliases that are unique within a statement. */
export class Aliases {
  #next = 0;

  next(): Sql {
    return { text: `t${this.#next++}`, params: [] };
  }
}

export function orderTerms(relation: Relation): Sql[] {
  return relation.order.map(({ expr, descending }) => (descending ? sql`${expr()} DESC` : expr()));
}

/** `(ORDER BY …)` for a window over all rows, in their order. */
export function inRowOrder(relation: Relation): Sql {
  const terms = orderTerms(relation);
  return terms.length === 0 ? sql`()` : sql`(ORDER BY ${join(terms)})`;
}

/** ` ORDER BY … LIMIT …`, each if present. */
function tailClause(relation: Relation, ordered: boolean): Sql {
  const by = orderClause(ordered || relation.slice ? orderTerms(relation) : []);
  if (!relation.slice) return by;
  const { n, offset } = relation.slice;
  return sql`${by} LIMIT ${bind(BigInt(n))} OFFSET ${bind(BigInt(offset))}`;
}

export function select(relation: Relation, expressions: () => readonly Sql[], ordered: boolean): Sql {
  const list = join(expressions());
  const where = relation.where.length === 0 ? nothing : sql` WHERE ${join(relation.where, ' AND ')}`;
  const tail = tailClause(relation, ordered);
  return sql`SELECT ${list} FROM ${relation.from()}${where}${tail}`;
}

/** The relation flattened, so that it can take a filter, a group or an aggregate. */
export function opened(relation: Relation, aliases: Aliases): Relation {
  return relation.slice || relation.windowed ? nested(relation, aliases) : relation;
}

/** The relation as a subquery of a new one with the same columns and order; only used columns are selected. */
export function nested(relation: Relation, aliases: Aliases): Relation {
  const alias = aliases.next();
  const wanted = new Map<string, () => Sql>();
  const ask = (name: string, expr: () => Sql): Sql => {
    if (!wanted.has(name)) wanted.set(name, expr);
    return sql`${alias}.${identifier(name)}`;
  };
  return {
    ...WHOLE,
    from: () => sql`(${select(relation, () => selectList(wanted), false)}) AS ${alias}`,
    keys: relation.keys,
    column: (key) => ask(key, () => relation.column(key)),
    order: relation.order.map(({ expr, descending }, i) => ({
      expr: () => ask(`order ${i}`, expr),
      descending,
    })),
    groups: relation.groups ?? null,
  };
}

/**
 * The relation sorted by one more key. Tied groups stay in key order; a key is descending if there are as many sorts as
 * keys and its sort is. SQLite visits the groups of `GROUP BY a ORDER BY count(*) DESC` that way, which decides ties
 * under a LIMIT.
 */
export function sorted(relation: Relation, key: OrderKey): Relation {
  const order = [key, ...relation.order];
  if (!relation.groups) return { ...relation, order };
  const { keys } = relation.groups;
  const sorts = [key.descending, ...relation.groups.sorts];
  const ties = order
    .slice(order.length - keys)
    .map((tie, i) => ({ ...tie, descending: sorts.length === keys && sorts[i] === true }));
  return { ...relation, order: [...order.slice(0, order.length - keys), ...ties], groups: { keys, sorts } };
}

/** `expr AS name, …`, or 1 for no columns. */
export function selectList(columns: ReadonlyMap<string, () => Sql>): Sql[] {
  const list = [...columns].map(([name, expr]) => sql`${expr()} AS ${identifier(name)}`);
  return list.length === 0 ? [sql`1`] : list;
}

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

const infix = (operator: Sql, description: string): Condition =>
  one(description, (left, value) => sql`${left} ${operator} ${value}`);

const two = (operator: Sql, description: string): Condition => ({
  arity: 'two',
  description,
  sql: (left, [low, high]) => sql`${left} ${operator} ${low as Sql} AND ${high as Sql}`,
});

/** The conditions of `filter_data`, and of operations with a condition. The first eight are the paper's. */
export const CONDITIONS = {
  equal_to: infix(sql`=`, 'equals the given value'),
  not_equal_to: infix(sql`<>`, 'differs from the given value (NULL never does)'),
  greater_than: infix(sql`>`, 'is greater than the given value'),
  less_than: infix(sql`<`, 'is less than the given value'),
  greater_than_equal_to: infix(sql`>=`, 'is greater than or equal to the given value'),
  less_than_equal_to: infix(sql`<=`, 'is less than or equal to the given value'),
  contains: one(
    'contains the given text (case-sensitive)',
    (left, value) => sql`instr(${left}, ${value}) > 0`,
  ),
  like: infix(
    sql`LIKE`,
    'matches the given LIKE pattern: % stands for any text, _ for any one character (ASCII letters match in either case)',
  ),
  not_like: infix(sql`NOT LIKE`, 'does not match the given LIKE pattern'),
  starts_with: one(
    'begins with the given text (case-sensitive)',
    (left, value) => sql`instr(${left}, ${value}) = 1`,
  ),
  ends_with: one(
    'ends with the given text (case-sensitive)',
    (left, value) =>
      sql`(length(${left}) >= length(${value}) AND substr(${left}, length(${left}) - length(${value}) + 1) = CAST(${value} AS TEXT))`,
  ),
  glob: infix(
    sql`GLOB`,
    'matches the given GLOB pattern: * stands for any text, ? for any one character, [abc] for one of these (case-sensitive)',
  ),
  not_glob: infix(sql`NOT GLOB`, 'does not match the given GLOB pattern'),
  between: two(sql`BETWEEN`, 'is between the two given values, inclusive'),
  not_between: two(sql`NOT BETWEEN`, 'is not between the two given values, inclusive'),
  in: { arity: 'list', description: 'is one of the given values', sql: (l, v) => sql`${l} IN (${join(v)})` },
  not_in: {
    arity: 'list',
    description: 'is none of the given values (as in SQL, no row is kept if one of them is NULL)',
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
  /** What it does, as the predicate of a sentence: `sums the values in a column`. */
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

/** compile-plan.ts writes its SQL, which needs the order of the rows. */
const position = (which: string): Aggregation => ({
  description: `finds the position (from 0) of the first row with the ${which} value in a column`,
  perGroup: false,
  sql: () => nothing,
});

/** The aggregations; the first eight are the paper's. All but counting rows ignore NULL. */
export const AGGREGATIONS = {
  min: plain(sql`MIN`, 'finds the smallest value in a column'),
  max: plain(sql`MAX`, 'finds the largest value in a column'),
  sum: plain(sql`SUM`, 'sums the values in a column (NULL if there are none)'),
  mean: plain(sql`AVG`, 'computes the mean of the values in a column (NULL if there are none)'),
  count: plain(sql`COUNT`, 'counts the values in a column that are not NULL (with the key `*`, the rows)'),
  std: {
    description: 'computes the sample standard deviation of the values in a column',
    perGroup: true,
    sql: deviation,
  },
  argmin: position('smallest'),
  argmax: position('largest'),
  total: plain(sql`TOTAL`, 'sums the values in a column as a real number (0.0 if there are none)'),
  median: plain(
    sql`MEDIAN`,
    'computes the median of the values in a column: the mean of the middle two if their number is even (NULL if there are none, an error for text)',
  ),
  group_concat: {
    description:
      'joins the values in a column into one text, in row order unless `distinct`, with `separator` (a comma by default) between them',
    perGroup: true,
    sql: (input) => {
      const separator = input.separator ? sql`, ${input.separator}` : sql``;
      // A distinct value keeps the position where SQLite meets it first, usually that of its first row.
      return sql`group_concat(${argument(input)}${separator}${orderClause(input.order)})`;
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
