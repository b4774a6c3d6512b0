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
