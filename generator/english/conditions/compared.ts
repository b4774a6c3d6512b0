import type { Clauses, Condition, ListClauses, Property, Term } from '../clauses/clause.ts';
import { manyOf, oneOf } from '../clauses/thing.ts';
import { joinTexts, type NounPhrase, rankedPlural, singularText, theText } from '../noun-phrase.ts';
import type { Realizer } from '../realizer.ts';
import { superlative } from '../relations.ts';
import { COUNTS } from '../words/numbers.ts';
import { listed } from '../words/word-lists.ts';

export type Of<K extends Condition['kind']> = Extract<Condition, { kind: K }>;
export type Junction = Extract<Condition, { readonly items: readonly Condition[] }>;

export function isEmptyText(term: Term): boolean {
  return term.kind === 'constant' && term.type === 'text' && term.text === '';
}

/** `status & 4`: whether a bit is set. */
export function isFlag(term: Term): boolean {
  return term.kind === 'arithmetic' && term.op === 'bits' && term.items[1]?.kind === 'constant';
}

export function isUnset(relation: Of<'compare'>['relation'], to: Term): boolean {
  const zero = to.kind === 'constant' && to.text === '0';
  return zero
    ? relation === 'equal' || relation === 'at_most'
    : relation === 'not_equal' || relation === 'below';
}

/** `COUNT(*) > 0` asks whether there are any. */
export function countCheck(
  about: NounPhrase,
  relation: Of<'compare'>['relation'],
  to: Term,
): 'any' | 'none' | null {
  // Any other number is the user's to choose.
  if (about.counted === null || about.lead !== '' || to.kind !== 'constant' || to.text !== '0') return null;
  if (relation === 'above' || relation === 'not_equal') return 'any';
  return relation === 'equal' || relation === 'at_most' ? 'none' : null;
}

export function sharedText(of: Property, to: Property): string {
  const owners = [of.owner, to.owner].flatMap((owner) => (owner === null ? [] : [oneOf(owner)]));
  return `${listed(owners)} have the same ${of.own.text}`;
}

export function isOwn(of: Property, to: Property): boolean {
  return to.owner?.one[0] === 'own' && of.own.text === to.own.text;
}

/** Whether rows of two tables are asked to have the same of one kind: the same post ID. */
export function isShared(of: Property, to: Property): boolean {
  return (
    of.own.text === to.own.text &&
    of.own.words.length > 1 &&
    !of.inRole &&
    !to.inRole &&
    of.base?.table !== to.base?.table
  );
}

/** A value that something is compared with. */
export function valueText(
  to: Term,
  about: NounPhrase,
  r: Realizer,
  what?: 'text' | 'value' | 'pattern',
): string {
  if (to.kind === 'query') return theText(singularText(r.noun(to)));
  if (to.kind !== 'given') {
    const np = r.noun(to);
    return np.head.length > 0 && r.style !== 'description' ? `the ${singularText(np)}` : singularText(np);
  }
  const kind = what ?? (about.scale === 'date' ? 'date' : about.scale === 'count' ? 'number' : 'value');
  return r.given(to, { ...about, tail: kind, counted: singularText(about) }, 'value');
}

export function valuesText({ of, values }: Of<'among'>, r: Realizer): string {
  const about = r.noun(of);
  const [only, ...others] = values;
  if (r.style === 'summary' && values.every(({ kind }) => kind === 'given')) {
    if (others.length > 0) return `${COUNTS[values.length] ?? 'several'} given values`;
    if (only?.kind === 'given' && only.choice.array) return 'the given values';
  }
  return listed(
    values.map((value) => valueText(value, about, r)),
    'or',
  );
}

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
