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

/** The empty fragment. */
export const nothing: Sql = { text: '', params: [] };

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

/** ` WHERE …`, or nothing. */
export function whereClause(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? nothing : sql` WHERE ${join(conditions, ' AND ')}`;
}

/** ` ORDER BY … LIMIT …`, each if present. */
export function tailClause(relation: Relation, ordered: boolean): Sql {
  const terms = ordered || relation.slice ? orderTerms(relation) : [];
  const by = terms.length === 0 ? nothing : sql` ORDER BY ${join(terms)}`;
  if (!relation.slice) return by;
  const { n, offset } = relation.slice;
  return sql`${by} LIMIT ${bind(BigInt(n))} OFFSET ${bind(BigInt(offset))}`;
}

export function select(relation: Relation, expressions: () => readonly Sql[], ordered: boolean): Sql {
  const list = join(expressions());
  const where = whereClause(relation.where);
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
    from: () => sql`(${select(relation, () => selectList(wanted), false)}) AS ${alias}`,
    where: [],
    keys: relation.keys,
    column: (key) => ask(key, () => relation.column(key)),
    order: relation.order.map(({ expr, descending }, i) => ({
      expr: () => ask(`order ${i}`, expr),
      descending,
    })),
    slice: null,
    windowed: false,
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
