import type { Clauses, ListClauses } from '../clauses/clause.ts';
import { manyOf, oneOf } from '../clauses/thing.ts';
import { joinTexts, rankedPlural, singularText } from '../noun-phrase.ts';
import type { Realizer } from '../realizer.ts';
import { superlative } from '../relations.ts';
import { listed } from '../words/word-lists.ts';
import type { Of } from './comparisons.ts';

/** Whose rows a subquery is about: of the studio. */
export function whoseText({ whose }: ListClauses): string {
  return whose.length === 0 ? '' : `of the ${listed([...new Set(whose.map(oneOf))])}`;
}

export function extremeText({ of, highest, among }: Of<'extreme'>, r: Realizer): string {
  const np = r.noun(of);
  const counted = rankedPlural(np);
  const scale = counted !== null ? 'count' : np.scale === 'text' ? 'number' : np.scale;
  return joinTexts(
    superlative(scale, highest ? 'desc' : 'asc'),
    counted ?? singularText(np),
    amongText(among, r),
  );
}

/** Among which rows something is the highest: of all films, among films for a given year. */
function amongText(among: Of<'extreme'>['among'], r: Realizer): string {
  if (among === null) return '';
  if (among.kind !== 'list' || among.subject === null || among.read.length > 0)
    return `among ${r.query(among)}`;
  const where = joinTexts(whoseText(among), r.about(among.subject).adjuncts(among.conditions));
  return where === '' ? `of all ${manyOf(among.subject)}` : `among ${manyOf(among.subject)} ${where}`;
}

/** What is said of what there is no room for. */
export const FURTHER = 'under further conditions';

/** A query inside a condition, without its own conditions where there is no room for them. */
export function brieflyQuery(query: Clauses, r: Realizer): string {
  if (r.detail.nested || query.kind !== 'list' || query.conditions.length === 0) return r.query(query, true);
  return joinTexts(r.query({ ...query, conditions: [] }, true), FURTHER);
}

/** Whether a query is said by what it shows, not by the rows that have it: a county, the ID of a film. */
export function showsValue({ query }: Of<'first'>): boolean {
  const [only] = query.kind === 'list' ? query.shown : [];
  return only !== undefined && only.role !== 'label';
}

/** What outer joins keep although there is nothing to join: kept also where there is no studio. */
export function paddedText({ padded }: ListClauses, r: Realizer): string {
  const texts = padded.map(({ thing, where }) => joinTexts(oneOf(thing), r.about(thing).adjuncts(where)));
  return texts.length === 0 ? '' : `kept also where there is no ${listed([...new Set(texts)], 'or')}`;
}
