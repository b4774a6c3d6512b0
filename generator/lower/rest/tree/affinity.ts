import type { Expr } from '../../../sql/index.ts';
import type { Origins } from './origins.ts';

/** SQLite's column affinities; `none` is an expression that has none. */
export type Affinity = 'text' | 'numeric' | 'integer' | 'real' | 'blob' | 'none';

/** The affinity that a declared type gives, by SQLite's rules (section 3.1 of its datatype page). */
export function declaredAffinity(type: string): Exclude<Affinity, 'none'> {
  const upper = type.toUpperCase();
  if (upper.includes('INT')) return 'integer';
  if (/CHAR|CLOB|TEXT/.test(upper)) return 'text';
  if (upper === '' || upper.includes('BLOB')) return 'blob';
  if (/REAL|FLOA|DOUB/.test(upper)) return 'real';
  return 'numeric';
}

/** The affinity that a comparison sees on one of its sides. */
export function affinityOf(expr: Expr, origins: Origins): Affinity {
  switch (expr.kind) {
    case 'column': {
      const origin = origins.of(expr);
      if (origin.kind === 'column') return declaredAffinity(origin.column.declared_type);
      return origin.kind === 'computed' ? affinityOf(origin.expr, origins) : 'none';
    }
    case 'cast':
      return declaredAffinity(expr.type);
    case 'collate':
      return affinityOf(expr.expr, origins);
    case 'scalar_query': {
      const { query } = expr;
      const first = query.kind === 'select' ? query.columns[0]?.expr : undefined;
      return first === undefined ? 'none' : affinityOf(first, origins);
    }
    default:
      return 'none';
  }
}

/** Whether numeric affinity is applied to the other side of a comparison. */
export function isNumeric(affinity: Affinity): boolean {
  return affinity === 'numeric' || affinity === 'integer' || affinity === 'real';
}
