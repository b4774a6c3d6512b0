import type { Condition } from '../clauses/clause.ts';
import { joinTexts } from '../noun-phrase.ts';
import type { Lead, Realizer } from '../realizer.ts';
import { listed } from '../words/word-lists.ts';
import { type Adjunct, adjunctOf } from './adjunct.ts';
import { bracketed } from './clause-text.ts';

const PLACES: readonly Adjunct['place'][] = ['for', 'of', 'whose', 'that', 'with', 'where', 'except'];

/** Conditions after a noun: for a given year and type that have awards with a score above a given value. */
export function adjunctsOf(conditions: readonly Condition[], r: Realizer, lead: Lead): string {
  if (conditions.length === 0) return '';
  if (r.style === 'description') {
    const texts = conditions.map((one) =>
      conditions.length > 1 ? bracketed(one, r.clause(one)) : r.clause(one),
    );
    return `where ${[...new Set(texts)].join(' and ')}`;
  }
  const flat = conditions.flatMap((one) => (one.kind === 'all' ? one.items : [one]));
  const said = alike(inPlaces(flat), r);
  const inPlace = (place: Adjunct['place']) => said.filter((one) => one.place === place);
  const texts = PLACES.flatMap((place) => {
    const own = inPlace(place);
    if (own.length === 0) return [];
    if (place === 'for' && lead === 'with' && inPlace('that').length === 0 && inPlace('with').length > 0)
      return [];
    if (place === 'with' && lead === 'with' && inPlace('that').length === 0) {
      return [`with ${listed([...givens(inPlace('for')), ...asked(own)])}`];
    }
    if (place === 'for') return [`${lead === 'with' ? 'with' : 'for'} ${listed(givens(own))}`];
    if (place === 'of') return textsOf(own);
    if (place === 'whose') return [listed(textsOf(own).map((text) => `whose ${text}`))];
    if (place === 'that') return [`that ${listed(together(own, lead === 'one'))}`];
    const also = place === 'with' && inPlace('whose').length > 0 ? 'and' : '';
    return [joinTexts(also, place === 'except' ? 'except those' : place, listed(asked(own)))];
  });
  const among = lead === 'among' && said.some(({ place }) => place !== 'for') ? 'among those' : '';
  return joinTexts(among, ...texts);
}

/**
 * Conditions as what comes after a noun. Behind "whose type is short" a score above 7 would be taken for the type's:
 * there it is told alike, whose score is above 7.
 */
function alike(conditions: readonly Condition[], r: Realizer): readonly Adjunct[] {
  const said = conditions.map((one) => adjunctOf(one, r, conditions.length === 1));
  if (!said.some(({ place }) => place === 'whose')) return said;
  return conditions.map((one, i) => {
    const adjunct = said[i] ?? adjunctOf(one, r, false);
    if (adjunct.place !== 'with' || (adjunct.asked === undefined && one.kind !== 'known')) return adjunct;
    const [, clause] = /^the (.*)$/.exec(r.clause(one)) ?? [];
    return clause === undefined ? adjunct : { place: 'whose', text: clause };
  });
}

function textsOf(said: readonly Adjunct[]): readonly string[] {
  return [...new Set(said.map(({ text }) => text))];
}

/** an age above a given value, an age below another → an age above a given value and below another */
function asked(said: readonly Adjunct[]): readonly string[] {
  const abouts = new Set(said.map((one) => one.asked?.about ?? one.text));
  return [...abouts].map((about) => {
    const same = said.filter((one) => one.asked?.about === about).map((one) => one.asked?.what ?? '');
    return joinTexts(about, listed([...new Set(same)]));
  });
}

/** that have loans and cards; of one row: that has loans */
function together(said: readonly Adjunct[], one: boolean): readonly string[] {
  const verbs = { have: one ? 'has' : 'have', are: one ? 'is' : 'are' };
  const plain = said.filter(({ verb, alone }) => verb === 'have' && alone);
  const [first, ...others] = plain;
  const kept =
    first === undefined || others.length === 0
      ? said
      : [
          { ...first, text: listed(plain.map(({ text }) => text)) },
          ...said.filter((one) => !plain.includes(one)),
        ];
  return [...new Set(kept.map(({ verb = 'are', text }) => `${verbs[verb]} ${text}`))];
}

/** Equalities first: what follows is said of the same values again. */
function inPlaces(conditions: readonly Condition[]): readonly Condition[] {
  const isFor = (one: Condition) =>
    one.kind === 'compare' && one.relation === 'equal' && one.to.kind === 'given';
  return [...conditions.filter(isFor), ...conditions.filter((one) => !isFor(one))];
}

/** a given year, a given film type, a given film rating → a given year, a given film type and rating */
function givens(said: readonly Adjunct[]): readonly string[] {
  const given = said.flatMap((one) => one.given ?? []);
  const owners = new Set(given.map(({ whose }) => whose));
  const alike = (whose: string) => given.filter((one) => one.whose === whose);
  const isTold = ({ whose }: { readonly whose: string }) => whose === '' || alike(whose).length === 1;
  const single = given.filter(isTold).map(({ whose, what }) => joinTexts(whose, what));
  const groups = [...owners].filter((whose) => !isTold({ whose }));
  return [
    ...(single.length > 0 ? [`a given ${listed([...new Set(single)])}`] : []),
    ...groups.map(
      (whose) => `a given ${whose} ${listed([...new Set(alike(whose).map(({ what }) => what))])}`,
    ),
    ...textsOf(said.filter((one) => one.given === undefined)),
  ];
}
