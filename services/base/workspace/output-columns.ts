import { leftmost, type Query } from '../../../sql/index.ts';

/** What the result columns of a query are called. */
export function outputColumns(query: Query): string[] {
  const first = leftmost(query);
  if (first.kind === 'select') return first.columns.map(({ name }) => name);
  return (first.rows[0] ?? []).map((_, i) => `column${i + 1}`);
}
