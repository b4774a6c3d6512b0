/** What makes a query harder to ask for, beside its joins and its inner queries: each counts once. */
const ONCE: readonly RegExp[] = [
  /\bGROUP BY\b/,
  /\bHAVING\b/,
  /\bORDER BY\b/,
  /\b(?:COUNT|SUM|TOTAL|AVG|MIN|MAX|GROUP_CONCAT)\s*\(/,
  /\bDISTINCT\b/,
  /\b(?:UNION|INTERSECT|EXCEPT)\b/,
  /\bOVER\s*\(/,
  /\bCASE\b/,
  /\bCAST\b|[*/] /,
];
const MOST_JOINS = 3;
const MOST_INNER = 2;
const TEXTS = /'(?:[^']|'')*'|"(?:[^"]|"")*"/g;

/** How many constructs a query has, from 0: joins, inner queries (two each), and what else it does with its rows. */
export function countConstructs(sql: string): number {
  const text = sql.replace(TEXTS, ' x ').toUpperCase();
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0;
  const joins = Math.min(MOST_JOINS, count(/\bJOIN\b/g));
  const inner = Math.min(MOST_INNER, Math.max(0, count(/\bSELECT\b/g) - 1));
  return joins + 2 * inner + ONCE.filter((pattern) => pattern.test(text)).length;
}
