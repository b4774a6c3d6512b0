/** SQLite takes at most 1,000 arguments in a call, two a column here. */
const COLUMNS_PER_OBJECT = 500;

/**
 * The statement that gives each row of `sql` as one JSON object with the given keys, made inside SQLite:
 * faster than building the text in JavaScript, and any library that runs the statement answers the same
 * bytes. Integers keep all their digits, a real always shows as one (`1.0`), a blob is upper-case hex, and
 * an infinite real, which JSON cannot write, is null.
 */
export function jsonSql(sql: string, keys: readonly string[]): string {
  const columns = keys.map((_, at) => `c${at}`);
  const objects: string[] = [];
  for (let start = 0; start < keys.length; start += COLUMNS_PER_OBJECT) {
    const pairs = keys
      .slice(start, start + COLUMNS_PER_OBJECT)
      .map((key, at) => `${textLiteral(key)}, ${jsonValue(`c${start + at}`)}`);
    objects.push(`json_object(${pairs.join(', ')})`);
  }
  // By position, since result columns may differ in case only. Referenced once, so SQLite plans the query as
  // if it stood alone. The line break ends a comment at the end of `sql`.
  return `WITH "-rows"(${columns.join(', ')}) AS (${sql}\n) SELECT ${joined(objects)} FROM "-rows"`;
}

/** The statement that gives the first column of each row of `sql` as one JSON value, by the rules of `jsonSql`. */
export function jsonValueSql(sql: string): string {
  return `WITH "-rows"(c0) AS (${sql}\n) SELECT json_quote(${jsonValue('c0')}) FROM "-rows"`;
}

function jsonValue(column: string): string {
  return (
    `CASE typeof(${column}) WHEN 'blob' THEN hex(${column}) ` +
    `WHEN 'real' THEN iif(abs(${column}) < 9e999, ${column}, NULL) ELSE ${column} END`
  );
}

function joined(objects: readonly string[]): string {
  if (objects.length === 1) return objects[0] as string;
  return `'{' || ${objects.map((object) => `substr(${object}, 2, length(${object}) - 2)`).join(` || ',' || `)} || '}'`;
}

function textLiteral(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
