import type { Column, Expr, Origins, Select, SourceId } from '../../../sql/index.ts';
import { type ColumnJoin, equalities, isJoin, joinConditions } from './joins.ts';
import { isReference } from './plain-joins.ts';

/** Whether a condition only says that a column is that of the query around it. */
export function isCorrelation(one: Expr, select: Select): boolean {
  return isJoin(one) && equalities(one).every((join) => outerOf(join, select) !== null);
}

/** The sources around a subquery that its rows belong to by reference. */
export function ownersOf(select: Select, origins: Origins): readonly SourceId[] {
  const owners = joinConditions(select)
    .filter((one) => isCorrelation(one, select))
    .flatMap((one) => ownerOf(one, select, origins) ?? []);
  return [...new Set(owners)];
}

/** The source around a subquery that a correlation refers to, or that refers to it; null for none or several. */
export function ownerOf(one: Expr, select: Select, origins: Origins): SourceId | null {
  if (!isCorrelation(one, select) || !isReference(one, origins)) return null;
  const [first, ...others] = equalities(one).map((join) => outerOf(join, select)?.source ?? null);
  return first === undefined || others.some((other) => other !== first) ? null : first;
}

/** Which of the columns is not the subquery's own; null when both or neither are. */
function outerOf({ left, right }: Pick<ColumnJoin, 'left' | 'right'>, { from }: Select): Column | null {
  const [a, b] = [left, right].map((side) => from.some(({ source }) => source.id === side.source));
  return a === b ? null : a ? right : left;
}
