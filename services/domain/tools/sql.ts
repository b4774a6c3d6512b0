/** A value as it is bound to a statement: integers are BigInt, since better-sqlite3 binds numbers as REAL. */
export type Bound = string | bigint | number | null;

/** A piece of SQL and the values of its placeholders, in the order of the text. */
export interface Sql {
  readonly text: string;
  readonly params: readonly Bound[];
}

/** A complete SELECT as the driver takes it, its parameters called `p0`, `p1`, … */
export interface Statement {
  readonly sql: string;
  readonly parameters: Readonly<Record<string, Bound>>;
}

/** The placeholder of a value; unlike `?`, it cannot be part of a quoted name. */
const HOLE = '\u0000';

/** SQL with other pieces in its holes; a string can only come from the template itself. */
export function sql(strings: TemplateStringsArray, ...parts: readonly Sql[]): Sql {
  let text = strings[0] ?? '';
  const params: Bound[] = [];
  parts.forEach((part, i) => {
    text += part.text + (strings[i + 1] ?? '');
    params.push(...part.params);
  });
  return { text, params };
}

/** A bound value. */
export function bind(value: Bound): Sql {
  return { text: HOLE, params: [value] };
}

/** The one place where a name becomes SQL. */
export function identifier(name: string): Sql {
  return { text: `"${name.replaceAll('"', '""').replaceAll(HOLE, '')}"`, params: [] };
}

/** Pieces with a separator between them: `, ` or ` AND `. */
export function join(parts: readonly Sql[], separator: ', ' | ' AND ' | ' OR ' = ', '): Sql {
  return {
    text: parts.map((part) => part.text).join(separator),
    params: parts.flatMap((part) => part.params),
  };
}

/** No SQL at all. */
export const nothing: Sql = { text: '', params: [] };

/** The piece as a statement: each hole becomes a named parameter. */
export function toStatement(piece: Sql): Statement {
  let next = 0;
  const text = piece.text.replaceAll(HOLE, () => `:p${next++}`);
  return { sql: text, parameters: Object.fromEntries(piece.params.map((value, i) => [`p${i}`, value])) };
}

/**
 * A table as SQL under construction: one SELECT that is not yet printed. Operations add to it as long as one flat
 * SELECT can hold them, so that filters stand directly on base columns (SQLite's affinity, collation and indexes
 * apply); `nested` closes it when the order of operations demands.
 */
export interface Relation {
  /** Written last: by then the nested SELECTs know which of their columns are wanted. */
  readonly from: () => Sql;
  readonly where: readonly Sql[];
  readonly keys: readonly string[];
  /** The column's expression; asking for it makes it part of every SELECT inside. */
  readonly column: (key: string) => Sql;
  /** First the sort keys, last sorted first; then what identifies a row, so that the order is the same everywhere. */
  readonly order: readonly OrderKey[];
  /** Rows to keep, applied after the order. */
  readonly slice: { readonly n: number; readonly offset: number } | null;
  /** True when a column is a window function: those see the rows as they are, so filters must come outside. */
  readonly windowed: boolean;
  /** Set for groups: the last `keys` order keys are the group's, and so are the directions sorted by since. */
  readonly groups?: { readonly keys: number; readonly sorts: readonly boolean[] } | null;
}

export interface OrderKey {
  readonly expr: () => Sql;
  readonly descending: boolean;
}

/** Hands out aliases, unique in a statement. */
export class Aliases {
  #next = 0;

  next(): Sql {
    return { text: `t${this.#next++}`, params: [] };
  }
}

/** The ORDER BY terms of a relation. */
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

/** A SELECT of the given expressions over the relation. */
export function select(relation: Relation, expressions: () => readonly Sql[], ordered: boolean): Sql {
  const list = join(expressions());
  const where = whereClause(relation.where);
  const tail = tailClause(relation, ordered);
  return sql`SELECT ${list} FROM ${relation.from()}${where}${tail}`;
}

/** The relation, flat again: able to take a filter, a group or an aggregate. */
export function opened(relation: Relation, aliases: Aliases): Relation {
  return relation.slice || relation.windowed ? nested(relation, aliases) : relation;
}

/** The relation as a subquery of a new one with the same columns and order; only the columns needed are selected. */
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
 * The relation sorted by one more key. Groups that tie stay in the order of their keys: descending, key by
 * key, where there are as many sorts as keys and the sort is. That is how SQLite visits the groups of
 * `GROUP BY a ORDER BY count(*) DESC`, and decides which of two equal ones comes under a LIMIT.
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

/** `expr AS name, …`; a SELECT of nothing selects 1. */
export function selectList(columns: ReadonlyMap<string, () => Sql>): Sql[] {
  const list = [...columns].map(([name, expr]) => sql`${expr()} AS ${identifier(name)}`);
  return list.length === 0 ? [sql`1`] : list;
}
