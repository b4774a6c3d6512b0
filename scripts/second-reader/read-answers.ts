/** A second reader's file: before each query a line `-- <id>`, and behind the id what the reader thought of the texts. */
export interface Answers {
  readonly sql: ReadonlyMap<string, string>;
  readonly remarks: ReadonlyMap<string, string>;
}

/** Reads `-- <id> <remark>` lines and the SQL below each; text before the first one is passed over. */
export function readAnswers(text: string): Answers {
  const sql = new Map<string, string>();
  const remarks = new Map<string, string>();
  for (const part of text.split(/^-- /mu).slice(1)) {
    const [heading = '', ...lines] = part.split('\n');
    const [id = '', ...remark] = heading.trim().split(/\s+/u);
    sql.set(id, lines.join('\n').trim().replace(/;$/u, ''));
    remarks.set(id, remark.join(' '));
  }
  return { sql, remarks };
}
