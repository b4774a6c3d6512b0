import type { Expr, OrderTerm } from '../../../../sql/index.ts';
import type { LowerContext } from '../sequence/context.ts';
import type { Frame } from '../sequence/frame.ts';

/** ORDER BY as stable sorts, the first term last. */
export function sortRows(terms: readonly OrderTerm[], frame: Frame, context: LowerContext): void {
  const keys = terms.flatMap(({ expr, direction, nulls }) => {
    const ascending = direction === 'asc';
    // A row id that no column shows: rows are in its order where no other sort decides.
    if (ascending && expr.kind === 'column' && expr.name === 'rowid' && !frame.has(expr)) return [];
    const value = context.evaluate(comparable(expr), frame);
    if (value.kind !== 'key') return [];
    const sort = { key: value.key, ascending };
    // SQLite has NULL first when ascending and last when descending.
    if (nulls === null || (nulls === 'first') === ascending) return [sort];
    const isNull = context.evaluate({ kind: 'is_null', expr, negated: false }, frame);
    return isNull.kind === 'key' ? [{ key: isNull.key, ascending: nulls === 'last' }, sort] : [sort];
  });
  const first = new Map<string, boolean>();
  for (const { key, ascending } of keys) if (!first.has(key)) first.set(key, ascending);
  for (const [key, ascending] of [...first].reverse()) {
    frame.label = context.sequence.call('sort_data', {
      data_source: `$${frame.label}$`,
      key_name: key,
      ascending,
    });
  }
}

/** NOCASE compares as if all were lower case. */
function comparable(expr: Expr): Expr {
  if (expr.kind !== 'collate') return expr;
  if (expr.collation.toUpperCase() === 'NOCASE') return { kind: 'call', name: 'lower', args: [expr.expr] };
  return expr.collation.toUpperCase() === 'RTRIM' ? { kind: 'call', name: 'rtrim', args: [expr.expr] } : expr;
}
