/**
 * The SQL in what a model wrote: the first ```` ```sql ```` block, else the text from the first SELECT or WITH to a `;`,
 * else null. Thoughts before `</think>` are left out.
 */
export function findSql(output: string): string | null {
  const end = output.lastIndexOf('</think>');
  const text = end < 0 ? output : output.slice(end + '</think>'.length);
  const fenced = /```(?:sql|sqlite)?[ \t]*\n([\s\S]*?)(?:```|$)/i.exec(text)?.[1];
  const from = fenced ?? text;
  const start = /\b(?:SELECT|WITH)\b/i.exec(from)?.index;
  if (start === undefined) return null;
  const sql = from.slice(start);
  return sql.slice(0, endOfStatement(sql)).trim();
}

/** Where the first `;` outside of quotes is, or the end. */
function endOfStatement(sql: string): number {
  let quote: string | null = null;
  for (let at = 0; at < sql.length; at++) {
    const char = sql[at] ?? '';
    if (quote !== null) {
      if (char === quote) quote = null;
    } else if (char === "'" || char === '"' || char === '`') quote = char;
    else if (char === '[') quote = ']';
    else if (char === ';') return at;
  }
  return sql.length;
}
