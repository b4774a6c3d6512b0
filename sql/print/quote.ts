/** An identifier for SQL; the only place where one is quoted. */
export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A text literal for SQL. */
export function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
