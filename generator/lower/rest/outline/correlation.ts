import type { Column, Expr, Select, SourceId } from '../../../sql/index.ts';
import { type ColumnJoin, equalities, isJoin, joinConditions } from './joins.ts';
import { listed, prose } from './phrase.ts';
import { phraseOf, type Saying } from './phrase-of.ts';
import { isReference } from './plain-joins.ts';

/** The conditions of a subquery that say which row of the query around it it is about. */
export function correlations(select: Select): readonly Expr[] {
  return joinConditions(select).filter((one) => isCorrelation(one, select));
}

/** Whether a condition only says that a column is that of the query around it. */
export function isCorrelation(one: Expr, select: Select): boolean {
  return isJoin(one) && equalities(one).every((join) => outerOf(join, select) !== null);
}

/** ` of the studio`: whose rows a subquery is about, by references; '' where it is about all, or told by conditions. */
export function whoseText(select: Select, saying: Saying): string {
  const { speaker } = saying;
  const owners = correlations(select).flatMap((one) => ownerOf(one, select, saying) ?? []);
  const different = [...new Set(owners)];
  const texts = different.map((source) => {
    const table = speaker.origins.tableOf(source);
    return prose(speaker.roleOf(source) ?? (table === null ? [] : speaker.noun(table).one));
  });
  return texts.length === 0 ? '' : ` of the ${listed([...new Set(texts)])}`;
}

/** The same type: a correlation that is no reference, as a condition; null where `whoseText` tells it. */
export function correlationText(one: Expr, select: Select, saying: Saying): string | null {
  if (ownerOf(one, select, saying) !== null) return null;
  const texts = equalities(one).map(({ left, right }) => {
    const [a, b] = [phraseOf(left, saying).text, phraseOf(right, saying).text];
    const [own, outer] = outerOf({ left, right }, select) === left ? [b, a] : [a, b];
    return a === b ? `the ${a} is the same` : `the ${own} is that ${outer}`;
  });
  return [...new Set(texts)].join(' or ');
}

/** The source around a subquery that a correlation refers to, or that refers to it; null for none or several. */
function ownerOf(one: Expr, select: Select, { speaker }: Saying): SourceId | null {
  if (!isReference(one, speaker.origins)) return null;
  const [first, ...others] = equalities(one).map((join) => outerOf(join, select)?.source ?? null);
  return first === undefined || others.some((other) => other !== first) ? null : first;
}

/** Which of the columns is not the subquery's own; null when both or neither are. */
function outerOf({ left, right }: Pick<ColumnJoin, 'left' | 'right'>, { from }: Select): Column | null {
  const [a, b] = [left, right].map((side) => from.some(({ source }) => source.id === side.source));
  return a === b ? null : a ? right : left;
}
