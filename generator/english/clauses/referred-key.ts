import type { Column, Expr, Origins, Select } from '../../../sql/index.ts';
import type { JoinEdge } from './joins.ts';
import { keyOf } from './label.ts';
import { bare } from './patterns.ts';

/** The key of another table that is read, where an expression is what refers to it; null for anything else. */
export function referredKey(
  expr: Expr,
  { from }: Select,
  { edges, origins }: { readonly edges: readonly JoinEdge[]; readonly origins: Origins },
): Column | null {
  const inner = bare(expr);
  const base = inner.kind === 'column' ? origins.baseColumn(inner) : null;
  const edge = edges.find(
    ({ child, alternative }) =>
      child === inner ||
      (!alternative && base !== null && child.source === base.source && child.name === base.column.name),
  );
  const parent = edge === undefined ? null : origins.baseColumn(edge.parent);
  if (edge === undefined || parent === null || keyOf(parent.table)?.name !== parent.column.name) return null;
  return from.some(({ source }) => source.id === edge.parent.source) ? edge.parent : null;
}
