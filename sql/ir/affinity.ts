import { type ColumnAffinity, declaredAffinity } from '../../contracts/column-affinity.ts';
import type { Expr } from './nodes.ts';
import type { Origins } from './origins.ts';

export { declaredAffinity };

/** A column's affinity; `none` for an expression without one. */
export type Affinity = ColumnAffinity | 'none';

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
