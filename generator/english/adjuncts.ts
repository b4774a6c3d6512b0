import { article } from '../../contracts/wording.ts';
import { isReferenceTo, soleKey } from '../../sql/index.ts';
import {
  type Condition,
  type Derived,
  type Given,
  isReference,
  isReferring,
  type ListClauses,
  manyOf,
  oneOf,
  ownerText,
  type Property,
  QUANTITY,
  sameTerm,
  sameThing,
  signature,
  type Term,
  type Thing,
  wordsFor,
} from './clause.ts';
import { IN_UNIT, isNo, isYesNo } from './column-text.ts';
import {
  bracketed,
  countCheck,
  extremeText,
  isEmptyText,
  isOwn,
  isShared,
  type Junction,
  type Of,
  valuesText,
  valueText,
} from './condition-text.ts';
import { hasUniqueValues, isLinkTable } from './joins.ts';
import { withoutKey } from './lexicon.ts';
import { isThing } from './lists.ts';
import {
  countedPlural,
  isOrAre,
  isPlain,
  joinTexts,
  type NounPhrase,
  noun,
  pluralText,
  presentNoun,
  singularText,
  theText,
  valueWord,
  withArticle,
} from './noun-phrase.ts';
import { isTimed, ofMany, predicateOf, refersTo, withNot } from './predicates.ts';
import type { Lead, Realizer, Style } from './realizer.ts';
import { extreme, MATCHES, RELATIONS, relationWords } from './relations.ts';
import { addedText, isOfSubject, ownNoun, relativePronoun } from './terms.ts';
import {
  COUNTS,
  endsWith,
  isClearAdjective,
  isPerson,
  isPlaceNoun,
  isSomebody,
  listed,
  lowerWords,
  plural,
  singular,
  withoutStart,
  withThe,
} from './words.ts';

/** In the order of a sentence. */
const PLACES = [
  'kind',
  'by',
  'in',
  'at',
  'on',
  'for',
  'of',
  'done',
  'either',
  'with',
  'without',
  'are',
  'whose',
  'that',
  'where',
  'except',
] as const;

/** Conditions after a noun: of a given kind with a score above a given value that have awards. */
export function adjunctsOf(conditions: readonly Condition[], r: Realizer, lead: Lead): string {
  if (conditions.length === 0) return '';
  if (r.style === 'description') {
    const texts = conditions.map((one) =>
      conditions.length > 1 ? bracketed(one, r.clause(one)) : r.clause(one),
    );
    return `where ${[...new Set(texts)].join(' and ')}`;
  }
  const given = conditions.flatMap((one) => (one.kind === 'all' ? one.items : [one]));
  const flat =
    r.style === 'question' ? given.toSorted((a, b) => Number(isOfAll(a)) - Number(isOfAll(b))) : given;
  const far = farther(flat, r);
  if (far !== null) {
    const { via, theirs } = far;
    const others = flat.filter((one) => !theirs.includes(one));
    const text = r.attempt(() => {
      const rest = others.length === 0 ? '' : adjunctsOf(others, r, lead);
      const ofThem = joinTexts(manyOf(via), r.about(via).adjuncts(theirs));
      if (rest === '') return joinTexts(lead === 'among' ? 'among those' : '', `of ${ofThem}`);
      return / (whose|that|who|of all) | per /.test(` ${rest} `) && !theirs.some((one) => isFar(one, via))
        ? null
        : `${rest} for ${ofThem}`;
    });
    const [only] = theirs;
    const named =
      theirs.length === 1 && only !== undefined && r.attempt(() => ofNamed(only, via, r)) !== null;
    if (text !== null && !named) return text;
  }
  const such = withSuch(flat, r);
  if (such !== null) return adjunctsOf(such, r, lead);
  const named = namedOwners(flat, r);
  if (named.length > 0) {
    const text = r.attempt(() => ofGivenOwners(named, flat, r));
    if (text !== null) return joinTexts(lead === 'among' ? 'among those' : '', text);
  }
  const apart = flat.filter((one) => partnerOf(one, r) !== null);
  // What is left out comes last.
  const late = flat.filter((one) => one.kind === 'not' || (one.kind === 'member' && one.negated));
  const early = inOneForm(inPlaces(flat.filter((one) => !apart.includes(one) && !late.includes(one))), r);
  const own = early.map((one) => (lead === 'of' ? (one.ofAll ?? one) : one));
  const partners = partnerAdjuncts(apart, r, own.length === 0 && lead !== 'among');
  const adjuncts = [...own, ...partners, ...inOneForm(late, r)];
  const texts: string[] = [];
  let before: Adjunct['place'] | null = null;
  for (const place of PLACES) {
    const own = adjuncts.filter((one) => one.place === place);
    if (own.length === 0) continue;
    // After "seen at a given clinic", "with a fee above a given amount" would seem to be the clinic's.
    const known =
      place === 'with' && own.every(({ text }) => /^an? (?!given)[^,]*$/.test(text) && !/ given /.test(text));
    const clear =
      !known && /(date|time|day|year|month|age|amount|price|weight|height|size)s?$/.test(texts.at(-1) ?? '');
    const isJoined =
      r.style === 'question'
        ? before === 'are' || (before === 'with' && place === 'whose')
        : !clear && before !== null && AFTER[place]?.includes(before);
    const also = isJoined ? 'and' : '';
    const which = relativePronoun(r.subject, r);
    const text = textAt(place, own, lead, which);
    if ((before === 'are' || before === 'either') && place === 'that') {
      texts.push(`and ${withoutStart(text, which)}`);
      continue;
    }
    const ofPeople = lead !== 'among' && isOfPeople(own, before, r);
    const start = ofPeople
      ? 'of'
      : own.length === 1 && own[0]?.far === true
        ? `${which} are linked to`
        : null;
    texts.push(joinTexts(also, start === null ? text : text.replace(/^(that|who) have/, start)));
    before = place;
  }
  const among = lead === 'among' ? 'among those' : '';
  return joinTexts(among, ...texts);
}

/**
 * In a question, what the subject refers to and the conditions on it, where some are on what this refers to in turn:
 * treatments of dogs of the breed Eskimo. Null where there are none.
 */
function farther(
  conditions: readonly Condition[],
  { style, subject }: Realizer,
): { readonly via: Thing; readonly theirs: readonly Condition[] } | null {
  if (style !== 'question' || subject === null || subject.text !== undefined) return null;
  // Where two tables refer to each other, a column of the subject may seem to be beyond the other.
  const columns = conditions
    .map((one) => ownerWithin(one)?.column ?? null)
    .map((column) => (column !== null && isOfSubject(column, subject) ? null : column));
  // What the subject refers to: the owner, or what refers to the owner in turn.
  const viaOf = (column: Property | null) => {
    const at = column?.referring.findIndex((one) => sameThing(one, subject)) ?? -1;
    return at > 0 ? column?.referring[at - 1] : at === 0 && !column?.inRole ? column?.owner : null;
  };
  const via = columns.map(viaOf).find((one) => one != null);
  if (via == null || isOfSubject({ owner: via, part: null } as Property, subject)) return null;
  const theirs = conditions.filter((_, i) => {
    const column = columns[i] ?? null;
    return column !== null && (isOfSubject(column, via) || sameThing(viaOf(column) ?? null, via));
  });
  return { via, theirs };
}

type NamedOwner = Of<'compare'> & { readonly of: Property; readonly to: Given };

/** The conditions of a summary that give what each row refers to by its name, and nothing else of it. */
function namedOwners(conditions: readonly Condition[], r: Realizer): readonly NamedOwner[] {
  const { style, subject } = r;
  if (style !== 'summary' || subject?.text !== undefined) return [];
  return conditions.filter((one): one is NamedOwner => {
    if (one.kind !== 'compare' || one.relation !== 'equal' || one.to.kind !== 'given') return false;
    const { of } = one;
    if (of.kind !== 'property' || !isNamed(of) || ownerBeyond(of, r) === null) return false;
    const theirs = conditions.filter((other) => sameThing(ownerWithin(other)?.owner ?? null, of.owner));
    return theirs.length === 1 && !ownerText(of.owner, subject).includes("'s ");
  });
}

/** of a given breed and owner; null where what follows would seem to be about these. */
function ofGivenOwners(
  named: readonly NamedOwner[],
  conditions: readonly Condition[],
  r: Realizer,
): string | null {
  const things = named.map(({ of }) => oneOf(of.owner as Thing));
  const [place = '', ...places] = new Set(things.map((thing) => inKind(thing).replace(/kind|with/, 'of')));
  if (places.length > 0) return null;
  const texts = named.map(({ of, to }, i) =>
    r.given(to, noun(things[i] ?? '', { counted: of.full.text }), 'thing'),
  );
  const text = `${place} ${listed(texts).replaceAll(/(, | and )a given /g, '$1')}`;
  const others = conditions.filter((one) => !named.includes(one as NamedOwner));
  const rest = adjunctsOf(others, r, 'for');
  // Nurses of a given gender in a given ward, heroes of a given publisher and gender.
  const [, also] = /^of a given ((?:(?! (?:a|an|given|with|that|who|whose) |,).)*)$/.exec(rest) ?? [];
  if (also !== undefined && place !== 'of') return joinTexts(rest, text);
  if (also !== undefined && texts.length === 1 && text.startsWith('of a ')) return `${text} and ${also}`;
  // A number with which cards of a given set are might be the set's, if sets have one.
  const isTheirs = others.every((one) => {
    const { base = null } = ownerWithin(one)?.column ?? {};
    const columns = named.flatMap(({ of }) => of.base?.table.columns ?? []);
    return base !== null && columns.every(({ name }) => name !== base.column.name);
  });
  const follows = isTheirs
    ? /^(in|by|at|on|with|without) |^(that|who) are [^)]*\(or not\)$|^$/
    : /^(in|by|at|on) |^$/;
  return follows.test(rest) && !rest.startsWith(`${place} `) ? joinTexts(text, rest) : null;
}

/** Whether a condition is on what a thing refers to in turn. */
function isFar(condition: Condition, via: Thing): boolean {
  return !sameThing(ownerWithin(condition)?.owner ?? null, via);
}

/** Conditions on rows that a number is about, as part of it: at least three bookings with a given status. */
function withSuch(conditions: readonly Condition[], r: Realizer): readonly Condition[] | null {
  for (const one of conditions) {
    if (one.kind !== 'compare' || (one.of.kind !== 'count' && one.of.kind !== 'summary')) continue;
    const { of, where } = one.of;
    const thing = isThing(of) ? of : of.kind === 'property' ? of.owner : null;
    // Each row refers to one of these, so that a number of them is one of a group.
    const ownerOf = (other: Condition) => partnerOf(other, r) ?? ownerWithin(other)?.owner ?? null;
    const theirs = sameThing(thing, r.subject)
      ? []
      : conditions.filter((other) => sameThing(ownerOf(other), thing));
    const [first, ...others] = theirs;
    if (where !== null || (one.of.kind === 'count' && one.of.having !== null) || first === undefined)
      continue;
    const limit: Condition = others.length === 0 ? first : { kind: 'all', items: theirs };
    const such: Condition = { ...one, of: { ...one.of, where: limit, such: true } as Term };
    return conditions.flatMap((other) => (other === one ? such : theirs.includes(other) ? [] : other));
  }
  return null;
}

/** Whether rows are those of people with their own conditions: majors of members with a given name, not majors that have members. */
function isOfPeople(adjuncts: readonly Adjunct[], before: string | null, r: Realizer): boolean {
  const [only, ...others] = adjuncts;
  const people = only?.people === true && only.verb === 'have' && !only.alone && others.length === 0;
  return people && r.style === 'summary' && /^(kind|for)?$/.test(before ?? '') && !isPerson(r.subject);
}

/** The thing that all parts of a condition are about, with one of its columns; null for several things. */
export function ownerWithin(
  condition: Condition,
): { readonly owner: Thing; readonly column: Property } | null {
  if (condition.kind === 'any' || condition.kind === 'all') {
    const [first = null, ...others] = condition.items.map(ownerWithin);
    return others.every((one) => sameThing(one?.owner ?? null, first?.owner ?? null)) ? first : null;
  }
  if (!('of' in condition) || !/^(compare|among|match|range|known|extreme)$/.test(condition.kind))
    return null;
  if (condition.kind === 'compare' && !/^(given|constant)$/.test(condition.to.kind)) return null;
  const column = columnWithin(condition.of);
  return column === null || column.owner === null ? null : { owner: column.owner, column };
}

function columnWithin(of: Term): Property | null {
  if (of.kind === 'property') return of;
  return of.kind === 'date_part' || isInCase(of) ? columnWithin(of.of) : null;
}

/** The owner of a column, if the subject refers to it. */
function ownerBeyond(of: Term, { subject }: Realizer): Thing | null {
  const isBeyond = of.kind === 'property' && refersTo(subject, of) && !isOfSubject(of, subject);
  return isBeyond ? of.owner : null;
}

/** Rows beside the subject's, of which each of these may have several, that a condition is about; null for none. */
function partnerOf(condition: Condition, { style, subject }: Realizer): Thing | null {
  if (style === 'description' || subject === null || subject.text !== undefined) return null;
  const found = ownerWithin(condition);
  if (found === null || isOfSubject(found.column, subject) || refersTo(subject, found.column)) return null;
  return /^(own|row)$/.test(found.owner.one[0] ?? '') ? null : found.owner;
}

/** that have members with a given first name and last name */
function partnerAdjuncts(conditions: readonly Condition[], r: Realizer, alone: boolean): readonly Adjunct[] {
  const partners = conditions.flatMap((one) => partnerOf(one, r) ?? []);
  const different = partners.filter((one, i) => partners.findIndex((other) => sameThing(other, one)) === i);
  // Conditions on what a partner refers to stand beside it: superheroes whose race has a given name.
  const hostOf = (one: Condition) => {
    const column = ownerWithin(one)?.column;
    return different.find((other) => column !== undefined && refersTo(other, column)) ?? partnerOf(one, r);
  };
  const hosts = different.filter((one) => conditions.some((other) => sameThing(hostOf(other), one)));
  return hosts.map((partner) => {
    const theirs = conditions.filter((one) => sameThing(hostOf(one), partner));
    // Teams with a given placement, not teams that have tournament teams with it.
    const isOne = r.subject !== null && partner.one.length > 1 && endsWith(partner.one, r.subject.one);
    if (isOne && hosts.length === 1) return { place: 'of', text: r.about(partner).adjuncts(theirs) };
    const end = hosts.length === 1 ? linkedEnd(theirs, r) : null;
    if (end !== null)
      return alone
        ? { place: 'of', text: `of ${end}` }
        : { place: 'that', verb: 'are', text: `linked to ${end}` };
    // A user has badges, but a badge has no posts of its user.
    const own = conditions.map(ownerWithin).find((one) => sameThing(one?.owner ?? null, partner));
    const near = own?.column.holders.some((one) => sameThing(one, r.subject));
    // Zip codes of members who have incomes, not zip codes that have incomes.
    const people = own?.column.ways.some(
      ({ from, via, refers }) => sameThing(from, r.subject) && isPerson(via) && !refers,
    );
    const far = own == null || (near && !people) || (alone && isPerson(partner)) ? null : own.column;
    const way = far === null ? null : r.attempt(() => wayAdjunct(far, theirs, r, alone));
    if (way !== null) return way;
    const text =
      ofItsName(theirs, partner, r) ?? joinTexts(manyOf(partner), r.about(partner).adjuncts(theirs));
    // Owners of posts with a given title.
    const isOwners = r.subject?.roleIn === partner.one.join(' ') || arePartners(r.subject, partner);
    // Husbands of wives, but white players paired with black ones.
    const isPaired = partner.one.length > 1 && r.subject?.one.at(-1) === partner.one.at(-1);
    if (alone && hosts.length === 1 && isOwners)
      return { place: 'of', text: `${isPaired ? 'paired with' : 'of'} ${text}` };
    if (isMembership(partner, r.subject)) return { place: 'that', verb: 'are', text };
    return near || isPerson(partner)
      ? { place: 'that', verb: 'have', people: isPerson(partner), far: !near && !isPerson(r.subject), text }
      : { place: 'that', verb: 'are', text: `linked to ${text}` };
  });
}

/** Conditions on what another thing ties to the rows: whose account has loans, of superheroes who have superpowers. */
function wayAdjunct(
  column: Property,
  theirs: readonly Condition[],
  r: Realizer,
  alone: boolean,
): Adjunct | null {
  const way = column.ways.find(({ from }) => sameThing(from, r.subject));
  if (way === undefined || [column.owner, r.subject].some((one) => sameThing(one, way.via))) return null;
  const { via, refers } = way;
  const text = adjunctsOf(theirs, r.about(via), refers ? 'one' : 'for');
  if (/\b(linked to|where)\b/.test(text)) return null;
  if (!refers) {
    const rows = joinTexts(manyOf(via), text);
    return alone ? { place: 'of', text: `of ${rows}` } : { place: 'that', verb: 'have', text: rows };
  }
  const [, predicate] = /^(?:that|who) (.*)$/.exec(text) ?? [];
  return predicate === undefined ? null : { place: 'whose', owner: oneOf(via), text: predicate };
}

/** Whether people are what others name them: borrowers are group members. */
function isMembership(thing: Thing, subject: Thing | null): boolean {
  return thing.one.at(-1) === 'member' && isPerson(subject);
}

/** Whether two things are people whom one row ties to each other: husbands and wives. */
export function arePartners(one: Thing | null, other: Thing | null): boolean {
  const { roleIn } = one ?? {};
  return roleIn !== undefined && other?.roleIn === roleIn && isPerson(one) && isPerson(other);
}

/** What the rows of a link table refer to, by its key: superpowers of heroes with a given ID. */
function linkedEnd([only, ...others]: readonly Condition[], r: Realizer): string | null {
  if (only?.kind !== 'compare' || only.relation !== 'equal' || only.to.kind !== 'given' || others.length > 0)
    return null;
  const { of, to } = only;
  if (of.kind !== 'property' || of.base === null || !isLinkTable(of.base.table) || !isReferring(of.base))
    return null;
  const what = withoutKey(of.own.words);
  const key = of.own.words.slice(what.length).join(' ');
  if (key === '' || what.length === 0) return null;
  const text = r.given(to, noun(of.own.text), 'thing');
  return text === `a given ${of.own.text}` ? `${plural(what).join(' ')} with a given ${key}` : null;
}

/** Rows called by a given column: countries that have a given language, not languages with a given name. */
function ofItsName(theirs: readonly Condition[], partner: Thing, r: Realizer): string | null {
  const { one } = partner;
  const [found] = theirs.flatMap((only) => {
    if (!('of' in only) || only.of.kind !== 'property') return [];
    const { of } = only;
    const words = of.own.words.join(' ');
    if ([words, `${r.subject?.one.join(' ')} ${words}`].includes(one.join(' ')))
      return [{ only, of, name: of.own.text }];
    // A country's language, or a wine; a dog is more than its name.
    const isWhole = theirs.length === 1 && !isPerson(partner) && isNamed(of);
    return isWhole ? [{ only, of, name: oneOf(partner) }] : [];
  });
  if (found === undefined) return null;
  const { only, of, name } = found;
  const others = theirs.filter((condition) => condition !== only);
  if (only.kind === 'compare' && only.relation === 'equal' && only.to.kind === 'given')
    return joinTexts(
      r.given(only.to, noun(name, name === of.own.text ? {} : { counted: of.full.text }), 'thing'),
      r.about({ one, many: plural(one) }).adjuncts(others, 'one'),
    );
  if (only.kind !== 'among' || only.negated || others.length > 0) return null;
  return r.attempt(() => amongAdjunct({ ...only, of: { ...of, owner: r.subject } }, r)?.text ?? null);
}

/** The places after which a place is joined by "and". */
const AFTER: Partial<Record<Adjunct['place'], readonly Adjunct['place'][]>> = {
  with: ['done'],
  without: ['done', 'with'],
  whose: ['done', 'either', 'are'],
  that: ['whose', 'are'],
};

function textAt(
  place: Adjunct['place'],
  own: readonly Adjunct[],
  lead: Lead,
  which: 'that' | 'who' = 'that',
): string {
  switch (place) {
    case 'kind':
      return `of ${listed(givens(own))}`;
    case 'by':
    case 'in':
    case 'at':
    case 'on':
    case 'for':
      return `${place} ${listed(givens(own))}`;
    case 'with': {
      const [given, others] = [true, false].map((is) =>
        own.filter((one) => (one.given !== undefined) === is),
      );
      const [ofGiven, rest] = [given?.length ? givens(given) : [], comparisons(others ?? [])];
      // Not given subtypes, but any.
      return ofGiven.length > 0 && rest.some((text) => /^[^ ]+s$/.test(text))
        ? `with ${listed(ofGiven)} and with ${listed(rest)}`
        : `with ${listed([...ofGiven, ...rest])}`;
    }
    case 'of':
      return textsOf(own).join(' ');
    case 'done':
      return listed(comparisons(own));
    case 'without':
      return `without ${listed(textsOf(own), 'or')}`;
    case 'either':
    case 'are':
      return `${which} ${lead === 'one' ? 'is' : 'are'} ${listed(textsOf(own))}`;
    case 'whose':
      return listed(predicatesOf(own).map((text) => `whose ${text}`));
    case 'that':
      return `${which} ${listed(byVerb(own, lead === 'one'))}`;
    case 'where':
    case 'except':
      return joinTexts(place === 'except' ? 'except those' : place, listed(comparisons(own)));
  }
}

/**
 * Conditions as adjuncts in one form. After "whose type is short", "with a score above 7" would seem to be about the
 * type, so it becomes "whose score is above 7".
 */
function inOneForm(conditions: readonly Condition[], r: Realizer): readonly Adjunct[] {
  const adjuncts = () => conditions.map((one) => adjunctOf(one, r, conditions.length === 1));
  // After "the average of all cities", another clause would seem to say which.
  const last = r.style === 'question' && conditions.some(isOfAll);
  const apart = r.attempt(() => {
    const all = adjuncts();
    return all.some(({ place, owner }) => place === 'whose' && (last || owner === undefined)) ? null : all;
  });
  if (apart !== null) return apart;
  return conditions.map((one) => {
    let compared = false;
    // Not kept, since a value is "the same" the second time.
    r.attempt(() => {
      const { place, comparison } = adjunctOf(one, r, false);
      compared = place === 'with' && comparison !== undefined && one.kind !== 'any';
      return null;
    });
    const whose = compared ? r.attempt(() => /^the (.*)$/.exec(r.clause(one))?.[1] ?? null) : null;
    return whose === null ? adjunctOf(one, r, conditions.length === 1) : { place: 'whose', text: whose };
  });
}

/** The predicates of each owner together: clinic is in a given city and has more than a given number of beds. */
function predicatesOf(adjuncts: readonly Adjunct[]): readonly string[] {
  const owners = [...new Set(adjuncts.flatMap(({ owner }) => owner ?? []))];
  const plain = textsOf(adjuncts.filter(({ owner }) => owner === undefined));
  const owned = owners.flatMap((owner) => {
    const all = adjuncts.filter((one) => one.owner === owner);
    // One property is the owner's, several are what it has.
    const apart = all.filter(({ clause, text }) => clause !== undefined && (all.length === 1 || text === ''));
    const own = all.filter((one) => !apart.includes(one));
    const verbs = [...new Set(own.map((one) => (one.given === undefined ? '' : one.text)))];
    const texts = verbs.flatMap((verb) =>
      verb === ''
        ? textsOf(own.filter(({ given }) => given === undefined))
        : [`${verb} ${listed(givens(own.filter((one) => one.given !== undefined && one.text === verb)))}`],
    );
    const has = texts.length > 1 && texts.every((text) => text.startsWith('has '));
    const what = has ? `has ${listed(texts.map((text) => text.slice('has '.length)))}` : listed(texts);
    return [
      ...(what === '' ? [] : [`${owner} ${what}`]),
      ...apart.map(({ clause }) => `${owner}'s ${clause}`),
    ];
  });
  return [...plain, ...owned];
}

function textsOf(adjuncts: readonly Adjunct[]): readonly string[] {
  return [...new Set(adjuncts.map(({ text }) => text))];
}

/** an age above a given value, an age below another → an age above a given value and below another */
function comparisons(adjuncts: readonly Adjunct[]): readonly string[] {
  const abouts = new Set(adjuncts.map((one) => one.comparison?.about ?? one.text));
  return [...abouts].map((about) => {
    const same = adjuncts
      .filter((one) => one.comparison?.about === about)
      .map((one) => one.comparison?.what ?? '');
    return joinTexts(about, listed([...new Set(same)]));
  });
}

/** that have loans and cards; of one row: that has loans */
function byVerb(adjuncts: readonly Adjunct[], one: boolean): readonly string[] {
  const verbs = { have: one ? 'has' : 'have', are: one ? 'is' : 'are', do: '' };
  const plain = adjuncts.filter(({ verb, alone }) => verb === 'have' && alone);
  const [first, ...others] = plain;
  const rest = adjuncts.filter((one) => !plain.includes(one));
  // have attendances and incomes received on a given date
  const [last, ...more] = rest.filter(({ verb, text }) => verb === 'have' && !/^no /.test(text));
  const joined = first !== undefined && last !== undefined && more.length === 0 ? [last] : [];
  const kept =
    first === undefined || others.length + joined.length === 0
      ? adjuncts
      : [
          { ...first, text: listed([...plain, ...joined].map(({ text }) => text)) },
          ...rest.filter((one) => !joined.includes(one)),
        ];
  return [
    ...new Set(
      kept
        .map(({ verb = 'are', text, single = text }) => [verb, one ? single : text] as const)
        .map(([verb, text]) => joinTexts(verbs[verb], text)),
    ),
  ];
}

/** Whether a value is compared with one of other rows: the average of all cities. */
function isOfAll(condition: Condition): boolean {
  return condition.kind === 'compare' && condition.to.kind === 'query';
}

/**
 * Equalities first, since other conditions may refer to the same values; then what is known, which after a comparison
 * would seem to be a part of that.
 */
function inPlaces(conditions: readonly Condition[]): readonly Condition[] {
  const place = (one: Condition) =>
    one.kind === 'compare' && one.relation === 'equal' && one.to.kind === 'given'
      ? 0
      : one.kind === 'known'
        ? 1
        : 2;
  return conditions.toSorted((a, b) => place(a) - place(b));
}

/** a given year, a given film type, a given film rating → a given year, a given film type and rating */
function givens(adjuncts: readonly Adjunct[]): readonly string[] {
  const given = adjuncts.flatMap((one) => one.given ?? []);
  const owners = new Set(given.map(({ whose }) => whose));
  const ofOwner = (whose: string) => given.filter((one) => one.whose === whose);
  const isSingle = ({ whose }: { readonly whose: string }) => whose === '' || ofOwner(whose).length === 1;
  const single = given.filter(isSingle).map(({ whose, what }) => joinTexts(whose, what));
  const groups = [...owners].filter((whose) => !isSingle({ whose }));
  return [
    ...(single.length > 0 ? [`a given ${namesOnce(listed([...new Set(single)]))}`] : []),
    ...groups.map(
      (whose) =>
        `a given ${whose} ${namesOnce(listed([...new Set(ofOwner(whose).map(({ what }) => what))]))}`,
    ),
    ...textsOf(adjuncts.filter((one) => one.given === undefined)),
  ];
}

/** first name and last name → first and last name */
function namesOnce(text: string): string {
  return text
    .replace(/(^|, )((?:\S+ )?)last name and \2first name\b/, '$1$2first name and $2last name')
    .replace(/(^|, )((?:\S+ )?)first name(,| and) \2last name\b/, '$1$2first$3 last name');
}

/** A condition as a phrase after a noun. */
interface Adjunct {
  readonly place: (typeof PLACES)[number];
  /** The verb after "that": that have films, that are the ones; `do` if the text has its own. */
  readonly verb?: 'have' | 'are' | 'do';
  /** Whether the object has no conditions of its own. */
  readonly alone?: boolean;
  /** Whether the rows are not known to have the object. */
  readonly far?: boolean;
  /** Whether the object is people. */
  readonly people?: boolean;
  readonly text: string;
  /** The text of one row, if it differs. */
  readonly single?: string;
  /** The same where it limits what a share is of: all of them are official or not. */
  readonly ofAll?: Adjunct;
  /** For "whose": the thing that the predicate is about. */
  readonly owner?: string;
  /** The same about a property of that thing: name starts with a given text. */
  readonly clause?: string;
  /** For "a given film year": the owner, if it must be named, and the property. */
  readonly given?: { readonly whose: string; readonly what: string };
  /** For "a score above a given value": the noun, and the comparison. */
  readonly comparison?: { readonly about: string; readonly what: string };
}

/** A condition as an adjunct; as a clause where nothing else works. */
function adjunctOf(condition: Condition, r: Realizer, alone: boolean): Adjunct {
  const search = r.attempt(() => searchAdjunct(condition, r));
  if (search !== null) return search;
  const toValue = condition.kind !== 'compare' || condition.to.kind === 'given';
  if ('of' in condition && isInCase(condition.of) && toValue) {
    return withTail(adjunctOf({ ...condition, of: condition.of.of }, r, alone), caseText(condition.of));
  }
  const adjunct =
    r.attempt(() => spokenAdjunct(condition, r)) ?? r.attempt(() => plainAdjunct(condition, r, alone));
  if (adjunct !== null) return adjunct;
  const text = r.clause(condition);
  // Cards whose ID is among others, if it is theirs.
  const own =
    (condition.kind === 'member' || condition.kind === 'compare') &&
    condition.of.kind === 'property' &&
    isOfSubject(condition.of, r.subject);
  const [, clause] = /^the (.*)$/.exec(own ? text : '') ?? [];
  if (clause === undefined || r.subject === null) return { place: 'where', text };
  return { place: 'whose', text: withoutStart(clause, oneOf(r.subject)) };
}

/** A text in lower or upper case, which is named in brackets: of a given species (in lower case). */
function isInCase(of: Term): of is Derived {
  return of.kind === 'derived' && /^(lower|upper)-case$/.test(of.word);
}

function caseText({ word }: Derived): string {
  return `(in ${word.replace('-', ' ')})`;
}

function withTail(adjunct: Adjunct, tail: string): Adjunct {
  const { text, single, given, comparison } = adjunct;
  return {
    ...adjunct,
    text: given === undefined || adjunct.place !== 'whose' ? joinTexts(text, tail) : text,
    ...(single === undefined ? {} : { single: joinTexts(single, tail) }),
    ...(given === undefined ? {} : { given: { ...given, what: joinTexts(given.what, tail) } }),
    ...(comparison === undefined
      ? {}
      : { comparison: { ...comparison, what: joinTexts(comparison.what, tail) } }),
  };
}

/** Several patterns that a column is searched for: with a title containing either of two given texts. */
function searchAdjunct(condition: Condition, r: Realizer): Adjunct | null {
  if (condition.kind !== 'any' || r.style !== 'summary') return null;
  const found = condition.items.flatMap((one) => (one.kind === 'match' && !one.negated ? [one] : []));
  const [first, second] = found;
  if (first === undefined || second === undefined || found.length < condition.items.length) return null;
  const text = isInCase(first.of) ? first.of.of : first.of;
  const same = found.every(
    ({ of, how, to }) => to.kind === 'given' && how === first.how && sameTerm(of, first.of),
  );
  if (!same || first.how === 'like') return null;
  const column = columnWithin(text);
  if (column === null || !isOfSubject(column, r.subject)) return null;
  const { after, what } = MATCHES[first.how];
  // Said together here, they count as mentioned: the next value is another one.
  for (const { to, of } of found) valueText(to, r.noun(of), r, what);
  const value = `${found.length === 2 ? 'either' : 'any'} of ${COUNTS[found.length] ?? 'several'} given ${what}s`;
  const np = r.noun(text);
  if (!isPlainNoun(np)) return null;
  const adjunct = comparedNoun(np, `${after[0]} ${value}`);
  return text === first.of ? adjunct : withTail(adjunct, caseText(first.of as Derived));
}

/** The same without a clause; null where only a clause works. */
function plainAdjunct(condition: Condition, r: Realizer, alone: boolean): Adjunct | null {
  switch (condition.kind) {
    case 'compare':
      return compareAdjunct(condition, r);
    case 'among':
      return amongAdjunct(condition, r);
    case 'match': {
      const np = ownNoun(condition.of, r);
      if (condition.how === 'like' && !condition.negated && condition.to.kind === 'given') {
        return givenAdjunct(condition.of, condition.to, np, r);
      }
      if (!isPlainNoun(np)) return null;
      const words = MATCHES[condition.how];
      const value = valueText(condition.to, np, r, words.what);
      return comparedNoun(np, `${words.after[condition.negated ? 1 : 0]} ${value}`);
    }
    case 'range':
      return rangeAdjunct(condition, r);
    case 'known': {
      const owner = ownerBeyond(condition.of, r);
      const about = owner === null ? r : r.about(owner);
      const np = about.noun(condition.of);
      if (!isPlainNoun(np)) return null;
      const present = referredNoun(condition.of, presentNoun(np, about.subject));
      if (owner === null || r.style !== 'summary')
        return { place: condition.negated ? 'without' : 'with', text: withArticle(present) };
      const what = condition.negated ? `no ${singularText(present)}` : withArticle(present);
      return { place: 'whose', owner: ownerText(owner, r.subject), text: `has ${what}` };
    }
    case 'exists':
      return existsAdjunct(condition, r);
    case 'extreme': {
      const { of } = condition;
      const owner = ownerBeyond(of, r);
      if (owner === null || r.style === 'description')
        return { place: 'with', text: `the ${extremeText(condition, r)}` };
      return {
        place: 'whose',
        owner: oneOf(owner),
        text: `has the ${extremeText(condition, r.about(owner))}`,
      };
    }
    case 'member': {
      const list = condition.query as ListClauses;
      const key = keyAmong(condition, r);
      if (key !== null && list.groups !== null) {
        const text = r.adjuncts(list.conditions);
        if (condition.negated) return { place: 'except', text };
        const [, place, rest] = /^(with|of|in) (.*)$/.exec(text) ?? [];
        return rest === undefined ? null : { place: place === 'of' ? 'kind' : (place as 'with'), text: rest };
      }
      if (key !== null) {
        const not = condition.negated ? 'not ' : '';
        const role = plural(withoutKey(key.own.words)).join(' ');
        // Not winner teams of matches, where rows are called by the reference.
        const rows =
          list.shown[0]?.role === 'key' || !isPlainList(list) || list.subject === null
            ? `among ${theText(r.query({ ...list, shown: [] }))}`
            : `${not === '' ? 'among the ' : ''}${joinTexts(role, 'of', manyOf(list.subject), r.about(list.subject).adjuncts(list.conditions))}`;
        return { place: 'that', verb: 'are', text: `${not}${rows}` };
      }
      const { of, query } = condition;
      const owner = of.kind === 'property' ? of.owner : null;
      if (
        owner !== null &&
        of.kind === 'property' &&
        refersTo(r.subject, of) &&
        isNameOf(condition, r.about(owner))
      ) {
        const text = `is ${condition.negated ? 'not ' : ''}among ${theText(r.about(owner).query(query))}`;
        return { place: 'whose', owner: oneOf(owner), text };
      }
      if (!isNameOf(condition, r)) return null;
      if (condition.negated && query.kind === 'list' && isPlainList(query) && r.style === 'summary') {
        const those = r.attempt(() => /^(that|who) .*$/.exec(r.adjuncts(query.conditions))?.[0] ?? null);
        if (those !== null) return { place: 'except', text: those };
      }
      const text = `${condition.negated ? 'not ' : ''}among ${theText(r.query(condition.query))}`;
      return { place: 'that', verb: 'are', text };
    }
    case 'first':
      return firstAdjunct(condition, r);
    case 'not': {
      const text = joinTexts(r.adjuncts([condition.item]));
      return /^(for|in|at|by|with|without|that|who|of|whose) /.test(text) ? { place: 'except', text } : null;
    }
    case 'any':
      return anyAdjunct(condition, r, alone);
    default:
      return null;
  }
}

/** A condition in the vocabulary's words: opened before a given date, that are still alive, whose hall has seats. */
function spokenAdjunct(condition: Condition, r: Realizer): Adjunct | null {
  const found = predicateOf(condition, r);
  if (found === null) return ownedClause(condition, r);
  const { owner, one, many, own, single } = found;
  if (!own) {
    if (owner === null || r.subject === null) return null;
    return single
      ? { place: 'whose', owner: ownerText(owner, r.subject), text: one }
      : {
          place: 'with',
          text: `${withArticle(noun(oneOf(owner)))} ${relativePronoun(owner, r)} ${one}`,
        };
  }
  // Born before a given date, heavier than a given weight.
  const [, bare] = /^(?:were (?!not )|are (?=.* than ))(.*)$/.exec(many) ?? [];
  if (bare === undefined) return { place: 'that', verb: 'do', text: many, single: one };
  const { about = '', what = bare } = found;
  return {
    place: 'done',
    text: bare,
    comparison: about === '' ? { about: '', what: bare } : { about, what },
  };
}

/** A condition on a column of what each row refers to: whose clinic's salary is above a given value; else null. */
function ownedClause(condition: Condition, r: Realizer): Adjunct | null {
  const found = r.style === 'description' ? null : ownerWithin(condition);
  if (found === null || isOfSubject(found.column, r.subject) || !refersTo(r.subject, found.column))
    return null;
  const { owner } = found;
  const about = r.about(owner);
  if (r.style === 'question') return ofNamed(condition, owner, r) ?? clauseOfOwner(condition, owner, about);
  if (condition.kind === 'among' || condition.kind === 'any') {
    const { place, text } = adjunctOf(condition, about, true);
    const verb = place === 'with' ? 'has' : IS[place];
    return verb === undefined
      ? null
      : { place: 'whose', owner: ownerText(owner, r.subject), text: joinTexts(verb, text) };
  }
  if (condition.kind !== 'compare' && condition.kind !== 'match' && condition.kind !== 'range') return null;
  if (condition.kind === 'match' ? condition.how === 'like' && !condition.negated : false) return null;
  if (condition.kind === 'compare' && condition.relation === 'equal') return null;
  if (
    condition.kind === 'compare' &&
    condition.relation === 'not_equal' &&
    isNameOfThing(found.column, owner)
  ) {
    const value = valueText(condition.to, noun(oneOf(owner)), r, 'one');
    return { place: 'with', text: `${withArticle(noun(oneOf(owner)))} other than ${value}` };
  }
  if (condition.kind !== 'range' && condition.to.kind !== 'given') return null;
  let having = '';
  r.attempt(() => {
    const adjunct = plainAdjunct(condition, about, false);
    if (adjunct?.place === 'with') having = `has ${adjunct.text}`;
    if (adjunct?.place === 'done' && / (year|age)s?$/.test(adjunct.text)) having = `is ${adjunct.text}`;
    return null;
  });
  if (having.startsWith('is ')) {
    plainAdjunct(condition, about, false);
    return { place: 'whose', owner: ownerText(owner, r.subject), text: having };
  }
  const [, clause] = /^the (.*)$/.exec(about.clause(condition)) ?? [];
  return clause === undefined
    ? null
    : {
        place: 'whose',
        owner: ownerText(owner, r.subject),
        text: having,
        clause: clause.replace(IN_UNIT, ''),
      };
}

/** What each row refers to, by its name: of the breed Eskimo, whose breed starts with a text; null for other conditions. */
function ofNamed(condition: Condition, owner: Thing, r: Realizer): Adjunct | null {
  // Ascents of members of a gym are not the gym's.
  if ('of' in condition && condition.of.kind === 'property' && !sameThing(condition.of.owner, owner))
    return null;
  if (condition.kind === 'match' && condition.of.kind === 'property' && isNameOfThing(condition.of, owner)) {
    const { is, what } = MATCHES[condition.how];
    const value = valueText(condition.to, noun(oneOf(owner)), r, what);
    return {
      place: 'whose',
      text: `${oneOf(owner)}${/name$/.test(condition.of.own.text) ? "'s name" : ''} ${is[condition.negated ? 1 : 0]} ${value}`,
    };
  }
  if (condition.kind !== 'compare' || condition.relation !== 'equal') return null;
  const { of, to } = condition;
  if (to.kind !== 'given' || of.kind !== 'property' || !isNameOfThing(of, owner)) return null;
  if (of.inRole && r.style === 'question')
    return whoseIs(noun(oneOf(owner)), r.given(to, noun(oneOf(owner)), 'value'));
  const which = /(status|state|role|rank|result|outcome|colou?r)$/.test(oneOf(owner)) ? 'with' : 'of';
  return { place: 'of', text: `${which} the ${oneOf(owner)} ${r.given(to, noun(oneOf(owner)), 'value')}` };
}

/** Whether a column has what a thing is called: breed name, size description, country. */
function isNameOfThing({ own }: Property, { one }: Thing): boolean {
  const text = own.text.toLowerCase();
  const thing = one.join(' ').toLowerCase();
  return (
    text === thing ||
    endsWith(one, own.words) ||
    /^((full )?name|title|description|label)$/.test(withoutStart(withoutStart(text, thing), one.at(-1) ?? ''))
  );
}

/** Whether a column is the name of its owner that no other has: that of a breed, not the title of a post. */
function isNamed(column: Property): column is Property & { readonly owner: Thing } {
  const { own, owner, base } = column;
  if (
    owner === null ||
    base === null ||
    owner.one[0] === 'other' ||
    !hasUniqueValues(base.table, base.column)
  )
    return false;
  return isNameOfThing(column, owner) || singularText(withoutOwner(noun(own.text), owner)) === 'name';
}

/** A condition on what each row refers to, in a question: whose country's region is Caribbean. */
function clauseOfOwner(condition: Condition, owner: Thing, about: Realizer): Adjunct | null {
  if (!/^(compare|match|range|known|among)$/.test(condition.kind)) return null;
  const flag =
    condition.kind === 'compare' &&
    condition.relation === 'equal' &&
    condition.of.kind === 'property' &&
    condition.to.kind === 'given'
      ? flagAdjunct(condition.of, condition.to.choice.value, owner)
      : null;
  if (flag !== null) return flag;
  const ofYear =
    condition.kind === 'compare' && condition.of.kind === 'date_part' && condition.to.kind === 'given';
  const [, clause] =
    ofYear && condition.relation === 'equal'
      ? ['', givenAdjunct(condition.of, condition.to, about.noun(condition.of), about).text]
      : (/^the (.*)$/.exec(about.clause(condition)) ?? []);
  if (clause === undefined) return null;
  const name = oneOf(owner);
  const [, place] = / is (.*)$/.exec(clause) ?? [];
  const isEqual =
    condition.kind === 'among'
      ? !condition.negated
      : condition.kind === 'compare' && condition.relation === 'equal';
  if (
    isEqual &&
    place !== undefined &&
    'of' in condition &&
    condition.of.kind === 'property' &&
    isPlace(condition.of)
  )
    return { place: 'whose', owner: name, text: `is in ${withThe(place)}` };
  // The name of a major, not a major's major name; of a club site, not its site name.
  return {
    place: 'whose',
    owner: name,
    text: '',
    clause: withoutStart(withoutStart(clause, name), owner.one.at(-1) ?? ''),
  };
}

/** Whether a phrase can stand after "with a". */
function isPlainNoun(np: NounPhrase): boolean {
  return np.head.length > 0 && !np.tail.includes(',');
}

function compareAdjunct({ of, relation, to }: Of<'compare'>, r: Realizer): Adjunct | null {
  if (isEmptyText(to) && (relation === 'equal' || relation === 'not_equal')) {
    const np = r.noun(of);
    const empty = relation === 'equal' ? 'an empty' : 'a non-empty';
    return isPlainNoun(np) ? { place: 'with', text: `${empty} ${singularText(np)}` } : null;
  }
  const np = ownNoun(of, r);
  const words = RELATIONS[relation];
  if (relation === 'equal' && of.kind === 'property' && to.kind === 'property') {
    // The same column of the outer row and of the subquery's, or of both rows of a pair.
    if (isOwn(of, to) || (isShared(of, to) && r.subject?.text !== undefined))
      return { place: 'with', text: `the same ${singularText(referredNoun(of, np))}` };
    const other = otherOwner(of, to, r);
    const what = singularText(referredNoun(of, noun(of.own.text)));
    if (other !== null) return { place: 'with', text: `the same ${what} as the ${oneOf(other)}` };
    if (isShared(of, to)) return null;
    const [one, another] = [of, to].map((side) => singularText(referredNoun(side, r.noun(side))));
    const isSame = [of, to].every(
      (side) => isOfSubject(side, r.subject) && singularText(r.noun(side)) !== one,
    );
    if (isSame && another !== singularText(r.noun(to)))
      return { place: 'whose', text: `${one} is the ${another}` };
  }
  if (relation === 'not_equal' && of.kind === 'property' && to.kind === 'property') {
    const other = otherOwner(of, to, r);
    const what = withArticle(noun(of.own.text));
    const isPair = [other, r.subject].some((one) => /^(own|other)$/.test(one?.one[0] ?? ''));
    if (other !== null && !isPair)
      return { place: 'with', text: `${what} other than that of the ${oneOf(other)}` };
  }
  const ranked = rankedFirst(of, relation, to, r);
  if (ranked !== null) return { place: 'with', text: ranked };
  const counted = countedPlural(np);
  if (relation === 'equal' && to.kind === 'given' && isPlain(np) && counted === null) {
    return givenAdjunct(of, to, np, r);
  }
  if (counted !== null && relation !== 'not_equal') {
    const than = { above: 'more', below: 'fewer' }[relation as 'above'];
    const average = r.attempt(() => {
      const value = than === undefined || to.kind !== 'query' ? '' : valueText(to, np, r);
      return value.startsWith('the average') ? value : null;
    });
    if (average !== null) return { place: 'with', text: `${than} ${counted} than ${average}` };
    const exists = countCheck({ ...np, counted }, relation, to);
    if (exists !== null)
      return { place: 'with', text: exists === 'none' ? `no ${counted}` : `any ${counted}` };
    if (to.kind === 'constant' || to.kind === 'given') {
      const number =
        to.kind === 'constant'
          ? singularText(r.noun(to))
          : `${r.given(to, { ...np, tail: 'number' }, 'value')}${r.style === 'summary' ? ' of' : ''}`;
      const things = number === '1' ? singular(counted.split(' ')).join(' ') : counted;
      return {
        place: 'with',
        text: joinTexts(relation === 'equal' && to.kind === 'given' ? '' : words.many, number, things),
      };
    }
  }
  const summed = sumAdjunct({ kind: 'compare', of, relation, to }, r);
  if (summed !== null) return summed;
  if (!isPlainNoun(np)) return null;
  const { after } = relationWords(relation, np.scale);
  const isQuantity = QUANTITY.test(np.value) && singularText(np) === np.value && r.style === 'summary';
  if (/^(above|below|at_)/.test(relation) && to.kind === 'given' && (isQuantity || isYearAlone(np, r))) {
    const how = { 'of at least': 'at or above', 'of at most': 'at or below' }[after] ?? after;
    const what = `${how} ${r.given(to, np, 'thing')}`;
    return { place: 'done', text: what, comparison: { about: '', what } };
  }
  const other = relation === 'not_equal' && to.kind === 'given';
  const value = valueText(to, np, r, other ? 'one' : undefined);
  const place = other ? placeOf(of, singularText(np), r) : 'with';
  // Countries in a continent other than a given one.
  if (/^(kind|by|in|at)$/.test(place)) return { place, text: `${withArticle(np)} ${after} ${value}` };
  if (relation === 'equal' && to.kind === 'constant') {
    const flag = of.kind === 'property' && r.style === 'summary' ? flagPredicate(of, to.text) : null;
    if (flag !== null) return { place: 'are', text: flag };
    const meaning = wordsFor(of).codes?.[to.text ?? ''];
    return {
      place: 'with',
      text: joinTexts(singularText(np), value, meaning === undefined ? '' : `(${meaning})`),
    };
  }
  return comparedNoun(np, `${after} ${value}`, to.kind === 'given' ? r.style : 'summary');
}

/** A sum or a difference of columns: whose width and depth add up to more than a given value; else null. */
function sumAdjunct({ of, relation, to }: Of<'compare'>, r: Realizer): Adjunct | null {
  if (of.kind !== 'arithmetic' || to.kind !== 'given' || r.style !== 'summary') return null;
  if (!of.items.every((one) => one.kind === 'property' && isOfSubject(one, r.subject))) return null;
  const how = { above: 'more than', at_least: 'at least', below: 'less than', at_most: 'at most' }[
    relation as 'above'
  ];
  const phrases = of.items.map((one) => r.noun(one));
  const [first = '', second = '', ...others] = phrases.map(singularText);
  const isLess = of.op === '-' && others.length === 0 && /^(above|at_least)$/.test(relation);
  if (how === undefined || !(of.op === '+' || isLess)) return null;
  const amount = `${how} ${valueText(to, r.noun(of), r)}`;
  const text = isLess ? `${first} exceeds ${second} by` : `${addedText(phrases)} add up to`;
  return { place: 'whose', text: `${text} ${amount}` };
}

/** The owner of one of two columns of one name, where the other is the subject's; else null. */
function otherOwner(of: Property, to: Property, { subject, style }: Realizer): Thing | null {
  if (style !== 'summary' || of.own.text !== to.own.text || subject?.text !== undefined) return null;
  const others = [of, to].filter((one) => !isOfSubject(one, subject));
  return others.length === 1 ? (others[0]?.owner ?? null) : null;
}

/** Whether a phrase is only "year", which rows are in themselves: concerts after a given year. */
function isYearAlone(np: NounPhrase, { style }: Realizer): boolean {
  return np.scale === 'year' && singularText(np) === 'year' && style === 'summary';
}

/** What is clear without the noun of its owner: ships of a given type, not exposures with a given time. */
const PLAIN = /(^| )(name|title|code|ID|number|description|text|type|kind|status|date|year|month)$/;

/** Equality with a given value: for a given year; for columns of other things with their owner. */
function givenAdjunct(of: Term, to: Given, named: NounPhrase, r: Realizer): Adjunct {
  const column = of.kind === 'date_part' ? of.of : of;
  const own = column.kind === 'property' && isOfSubject(column, r.subject);
  const short = own && r.subject !== null ? withoutOwner(named, r.subject) : named;
  const np = PLAIN.test(singularText(short)) ? { ...short, counted: singularText(named) } : named;
  const label = singularText(np);
  if (r.style === 'question') {
    const value = r.given(to, np, 'value');
    const flag = of.kind === 'property' && own ? flagAdjunct(of, to.choice.value, null) : null;
    if (flag !== null) return flag;
    if (own && label === 'year') return { place: 'done', text: `in ${value}` };
    if (own && isPlace(column)) return { place: 'in', text: withThe(value) };
    // "Whose removal date is in 2023" is more natural than a removal year.
    return of.kind === 'date_part' && of.part === 'year'
      ? { place: 'whose', text: `${dateText(r.noun(of.of))} is in ${value}` }
      : whoseIs(np, value);
  }
  const flag = own && r.style === 'summary' ? r.attempt(() => chosenFlag(of, to, np, null, r)) : null;
  if (flag !== null) return flag;
  const owned = ownedGiven(of, to, r);
  if (owned !== null) return owned;
  // With a sampling date in a given year, not with a given sampling year.
  if (of.kind === 'date_part' && /^(year|month)$/.test(of.part) && own && label !== of.part) {
    const value = r.given(to, noun(of.part, { counted: label }), 'thing');
    return comparedNoun(noun(dateText(r.noun(of.of))), `in ${value}`);
  }
  const place = placeOf(of, label, r);
  if (place === 'on' && of.kind === 'property' && isTimed(of))
    return { place: 'at', text: r.given(to, { ...np, tail: 'time' }, 'value') };
  const text = r.given(to, np, 'thing');
  const [, within = ''] = / given (.*) name$/.exec(text) ?? [];
  // Schools in a given county, not with a given county name.
  if (own && inKind(within) === 'in') return { place: 'in', text: text.slice(0, -' name'.length) };
  if (text !== `a given ${label}`) return { place, text };
  const owner = of.kind === 'property' && label === of.full.text && of.owner !== null ? oneOf(of.owner) : '';
  const what = of.kind === 'property' ? of.own.text : label;
  const given = label === `${owner} ${what}` ? { whose: owner, what } : { whose: '', what: label };
  return { place, text, given };
}

/** What a flag's value makes of a phrase, undefined where callers choose it: official, not official, official (or not). */
function flagged(text: string, value: unknown): string {
  return value === undefined ? `${text} (or not)` : isNo(value) ? `not ${text}` : text;
}

/** The predicate of a column whose values mean yes and no: official, not abandoned; null for other columns. */
function flagPredicate({ own, base }: Property, value: unknown): string | null {
  const [, text = ''] = /^(.*) status$/.exec(own.text) ?? [];
  const name = base?.column.name ?? '';
  const isNamed = /^is|yn$/i.test(name) && /^[a-z ]+$/.test(text) && !/(er|ist)$/.test(text);
  const isPredicate = (isNamed && !isSomebody(text)) || isClearAdjective(text);
  return base === null || !isYesNo(base.column) || !isPredicate ? null : flagged(text, value);
}

/** A flag that callers choose, in a summary: that are official (or not); null where "a given status" is as good. */
function chosenFlag(of: Term, to: Given, np: NounPhrase, owner: Thing | null, r: Realizer): Adjunct | null {
  if (of.kind !== 'property') return null;
  const text = of.own.text.replace(/ status$/, '');
  const flag = isSomebody(text) || isClearAdjective(text) ? flagAdjunct(of, undefined, owner) : null;
  const given = r.given(to, np, 'thing');
  if (flag === null || !given.startsWith('a given ')) return null;
  if (flag.place !== 'are') return flag;
  const ofAll: Adjunct = { place: 'with', text: given, given: { whose: '', what: singularText(np) } };
  return { ...flag, place: 'either', ofAll };
}

/** A flag in a question: that are official, with no cafe, whose promo flag is set; of what rows refer to: whose gym has a cafe. */
function flagAdjunct(of: Property, value: unknown, owner: Thing | null): Adjunct | null {
  const [, text] = /^(.*) status$/.exec(of.own.text) ?? [];
  if (of.base === null || text === undefined || !isYesNo(of.base.column)) return null;
  const whose = owner === null ? null : ({ place: 'whose', owner: oneOf(owner) } as const);
  const adjective = flagPredicate(of, value);
  if (adjective !== null)
    return whose ? { ...whose, text: `is ${adjective}` } : { place: 'are', text: adjective };
  if (isSomebody(text))
    return whose
      ? { ...whose, text: `is ${flagged(article(text), value)}` }
      : { place: 'are', text: flagged(plural(text.split(' ')).join(' '), value) };
  if (/^has/i.test(of.base.column.name)) {
    const what = isNo(value) ? `no ${text}` : withArticle(noun(text));
    return whose ? { ...whose, text: `has ${what}` } : { place: 'with', text: what };
  }
  const clause = `${text} flag is ${flagged('set', value)}`;
  return whose ? { ...whose, text: '', clause } : { place: 'whose', text: clause };
}

/** Equality of a column of what each row refers to: whose clinic is in a given city; null for other columns. */
function ownedGiven(of: Term, to: Given, r: Realizer): Adjunct | null {
  const column = of.kind === 'date_part' ? of.of : of;
  if (column.kind !== 'property' || column.owner === null || r.style !== 'summary') return null;
  if (isOfSubject(column, r.subject) || !refersTo(r.subject, column)) return null;
  const { owner } = column;
  const full = noun(column.own.text, { counted: column.full.text });
  const flag = r.attempt(() => chosenFlag(of, to, full, owner, r));
  if (flag !== null) return { ...flag, owner: ownerText(owner, r.subject) };
  // A superhero's gender is the gender that it refers to.
  if (of.kind === 'property' && endsWith(owner.one, of.own.words)) {
    const thing = oneOf(owner);
    const text = r.given(to, noun(thing, { counted: of.full.text }), 'thing');
    const place = inKind(thing);
    return text === `a given ${thing}` ? { place, text, given: { whose: '', what: thing } } : { place, text };
  }
  const named = r.about(column.owner).noun(of);
  // The team name of a winner is its name.
  const one =
    column.inRole && column.base !== null ? singular(lowerWords(column.base.table.name)) : owner.one;
  const np = of.kind === 'property' ? withoutOwner(withoutOwner(named, owner), { one, many: [] }) : named;
  const text = r.given(to, { ...np, counted: column.full.text }, 'thing');
  const verb = IS[placeOf(of, singularText(np), r.about(column.owner))] ?? 'has';
  const what = /^a given /.test(text) ? text.slice('a given '.length) : null;
  const adjunct = { place: 'whose', owner: ownerText(column.owner, r.subject) } as const;
  return what === null
    ? { ...adjunct, text: `${verb} ${text}` }
    : { ...adjunct, text: verb, given: { whose: '', what } };
}

/** The name of an airline, where its column is called airline or airline name. */
function withoutOwner(np: NounPhrase, { one }: Thing): NounPhrase {
  const text = singularText(np);
  if (text === one.join(' ')) return { ...np, head: ['name'] };
  const starts = np.lead === '' && text.startsWith(`${one.join(' ')} `);
  if (starts) return { ...np, head: np.head.slice(one.length) };
  // The power name of a superpower is its name.
  const [first = '', ...rest] = np.head;
  const part = first.length > 3 && rest.length > 0 && one.at(-1)?.endsWith(first.toLowerCase());
  return part && np.lead === '' ? { ...np, head: rest } : np;
}

/** A mail city is not where a row is. */
const WITHIN =
  /^((city|town|village|country|state|county|province)( |$))+$|(region|municipality|suburb|section|ward|hall|wing|aisle|district|canton|college|faculty|department|area|zone|room|building|division|sector|continent|borough|parish|category|(?<!blood )group)$|^(year|month|quarter|season|language|currency|discipline|sport)$/i;
const KIND =
  /(^| )(kind|type|species|breed|size|variety|brand|make|gender|sex|race|nationality|genre|difficulty|severity|classification)$/i;

/** Whether a column says where in the world a row is. */
function isPlace({ own, base, scale }: Property): boolean {
  // A state may be a status.
  const among = base?.table.columns.some(({ name }) => /city|county|country|zip/i.test(name)) ?? false;
  return scale === 'text' && isPlaceNoun(own.text) && (among || !/^state$/i.test(own.text));
}

/** Columns that name a row's maker: cards by a given artist. */
const MAKER =
  /(^| )(artist|author|writer|director|composer|illustrator|photographer|designer|painter|sculptor|architect|publisher|producer|developer|manufacturer|creator|performer|singer)$/i;

/** The predicates of a row with a given value in these places. */
const IS: Partial<Record<Adjunct['place'], string>> = {
  kind: 'is of',
  by: 'is by',
  in: 'is in',
  at: 'is at',
  on: 'is on',
};

/** The preposition before a given value: in a given city, of a given kind; for columns of other things "for". */
function placeOf(of: Term, label: string, { subject }: Realizer): Adjunct['place'] {
  const column = of.kind === 'date_part' ? of.of : of;
  if (column.kind !== 'property') return 'with';
  if (!isOfSubject(column, subject)) return subject?.text === undefined ? 'for' : 'with';
  if (wordsFor(column).noun !== undefined && column.base !== null && isReferring(column.base)) return 'for';
  if (label === 'date' && column.scale === 'date') return 'on';
  if (/(^| )floor$/i.test(label)) return 'on';
  return MAKER.test(label) && column.scale === 'text' ? 'by' : inKind(label, subject);
}

function inKind(label: string, subject: Thing | null = null): 'in' | 'at' | 'kind' | 'with' {
  if (/(^| )(location|venue|stadium|site)$/i.test(label)) return isPerson(subject) ? 'in' : 'at';
  // A head of state is no state, a year of construction no year.
  const is = (pattern: RegExp) => label.split(' of ').every((part) => pattern.test(part));
  return is(WITHIN) ? 'in' : is(KIND) ? 'kind' : 'with';
}

/** Equality in a question, which has the values: whose type is short. */
function whoseIs(np: NounPhrase, value: string): Adjunct {
  return { place: 'whose', text: `${quotedIfOdd(singularText(np))} ${isOrAre(np)} ${value}` };
}

/** lent → lent date; opening date */
function dateText(np: NounPhrase): string {
  const text = singularText(np);
  return /\b(date|day|time|month|period)\b/i.test(text) ? text : `${text} date`;
}

/** Puts a name that is a function word in quotes: whose "for" is children. */
function quotedIfOdd(label: string): string {
  return /^(for|from|to|by|until|since|at|in|on|when|where|why|who|how)$/i.test(label) ? `"${label}"` : label;
}

/** A comparison after its noun: a score above a given value; in a question with its unit last: a height above 200 cm. */
function comparedNoun(np: NounPhrase, compared: string, style: Style = 'summary'): Adjunct {
  const text = np.tail === '' ? np.head.join(' ') : '';
  const [, unit = ''] = IN_UNIT.exec(text) ?? [];
  const about = withArticle(unit === '' ? np : { ...np, head: text.replace(IN_UNIT, '').split(' ') });
  // The average of the same column has the same unit.
  const bare = unit === '' ? compared : compared.replace(` in ${unit}`, '');
  const what = unit !== '' && style === 'question' && bare === compared ? `${compared} ${unit}` : bare;
  return { place: 'with', text: `${about} ${what}`, comparison: { about, what } };
}

/**
 * `RANK() … = 1`: with the highest price within each category; `ROW_NUMBER() … <= 3`: with one of the three highest
 * prices. Null for any other place.
 */
function rankedFirst(of: Term, relation: Of<'compare'>['relation'], to: Term, r: Realizer): string | null {
  if (of.kind !== 'window' || of.rank === null) return null;
  // Missing values may be put last.
  const [by] = of.order.filter(({ of: key }) => key.kind !== 'check' || key.condition.kind !== 'known');
  const last = to.kind === 'constant' ? Number(to.text) - (relation === 'below' ? 1 : 0) : null;
  const isFirst = last === 1 && /^(equal|at_most|below)$/.test(relation);
  const isTop =
    of.rank === 'row number' && (relation === 'at_most' || (relation === 'below' && last !== null));
  if (by === undefined || !(isFirst || (isTop && (to.kind === 'given' || Number.isInteger(last)))))
    return null;
  const np = r.noun(by.of);
  if (np.scale === 'text') return null;
  const within = of.within.map((one) => singularText(r.noun(one)));
  const each = within.length === 0 ? '' : `within each ${listed(within)}`;
  const word = extreme(np.scale, by.direction, np.head.join(' '));
  if (isFirst) return joinTexts('the', word, singularText(np), each);
  const most =
    to.kind === 'given' ? `(up to ${r.given(to, noun('number', { tail: 'number' }), 'value')})` : '';
  const count = last === null ? '' : (COUNTS[last] ?? String(last));
  return joinTexts('one of the', count, word, pluralText(np), each, most);
}

function amongAdjunct(condition: Of<'among'>, r: Realizer): Adjunct | null {
  const np = r.noun(condition.of);
  if (!isPlain(np)) return null;
  if (r.style === 'question' || !condition.values.every(({ kind }) => kind === 'given')) {
    if (!isPlainNoun(np)) return null;
    const values = valuesText(condition, r);
    const { of } = condition;
    if (r.style === 'question' && !condition.negated)
      return of.kind === 'property' && isOfSubject(of, r.subject) && isPlace(of)
        ? { place: 'in', text: values }
        : whoseIs(np, values);
    return { place: 'with', text: `${withArticle(np)} ${condition.negated ? 'other than' : 'of'} ${values}` };
  }
  const many = pluralText(np);
  const count = condition.values.length;
  const [only] = condition.values;
  const given =
    count === 1 && only?.kind === 'given'
      ? theText(r.given(only, np, 'thing'))
      : `${COUNTS[count] ?? 'several'} given ${many}`;
  const place = placeOf(condition.of, singularText(np), r);
  if (!condition.negated) return { place, text: `${count === 2 ? 'either of' : 'any of'} ${given}` };
  const others = count === 1 ? 'the given ones' : `${COUNTS[count] ?? 'several'} given ones`;
  return {
    place: /^(kind|by|in|at)$/.test(place) ? place : 'with',
    text: `${withArticle(np)} other than ${others}`,
  };
}

function rangeAdjunct({ of, low, high, negated }: Of<'range'>, r: Realizer): Adjunct | null {
  const np = r.noun(of);
  if (!isPlainNoun(np)) return null;
  const kind = pluralText(noun(valueWord(np)));
  const given = low.kind === 'given' && high.kind === 'given' && r.style === 'summary';
  if (given && !negated && (singularText(np) === 'age' || isYearAlone(np, r)))
    return { place: 'done', text: `between two given ${pluralText(np)}` };
  const ends = given ? `two given ${kind}` : `${valueText(low, np, r)} and ${valueText(high, np, r)}`;
  return comparedNoun(np, `${negated ? 'not between' : 'between'} ${ends}`, r.style);
}

function existsAdjunct(
  { thing, are, query, related, verb, negated }: Of<'exists'>,
  r: Realizer,
): Adjunct | null {
  if (query !== null && (query.kind !== 'list' || query.read.length > 0 || query.groups !== null || !related))
    return null;
  const conditions = query?.conditions ?? [];
  const where = r.about(thing).adjuncts(conditions);
  const what = joinTexts(manyOf(thing), where);
  if (are || isMembership(thing, r.subject))
    return { place: 'that', verb: 'are', text: `${negated ? 'not ' : ''}${what}` };
  const object = `${negated ? 'no ' : ''}${what}`;
  if (verb !== null) {
    const done = (one: string) => (negated ? withNot(one, what) : `${one} ${what}`);
    return { place: 'that', verb: 'do', text: done(ofMany(verb)), single: done(verb) };
  }
  return {
    place: 'that',
    verb: 'have',
    alone: where === '' && !negated,
    people: isPerson(thing) && !negated,
    text: object,
  };
}

/** What a reference refers to: a gallery for a gallery ID. */
function referredNoun(of: Term, np: NounPhrase): NounPhrase {
  return isReference(of) ? { ...np, head: withoutKey(np.head) } : np;
}

/** Whether conditions alone describe the rows. */
function isPlainList({ groups, limit, whose, read, padded }: ListClauses): boolean {
  return groups === null && limit === null && [...whose, ...read, ...padded].length === 0;
}

/** Whether a condition looks for rows' names among the names of rows of the same kind. */
function isNameOf({ of, query }: Of<'member'>, { subject }: Realizer): boolean {
  if (query.kind !== 'list' || of.kind !== 'property') return false;
  const [only, ...others] = query.shown;
  const [shown] = query.columns;
  return (
    others.length === 0 &&
    only?.role === 'label' &&
    shown?.kind === 'property' &&
    shown.own.text === of.own.text &&
    sameThing(of.owner, subject) &&
    sameThing(query.subject, subject)
  );
}

/** The column of references among which a condition looks for the key of rows; null for other conditions. */
function keyAmong({ of, query }: Of<'member'>, { subject, style }: Realizer): Property | null {
  if (query.kind !== 'list' || of.kind !== 'property' || of.base === null || style !== 'summary') return null;
  const [shown, ...others] = query.columns;
  const { table, column } = of.base;
  const refers = shown?.kind === 'property' && shown.base !== null && isReferenceTo(shown.base, table);
  const isKey = soleKey(table) === column && sameThing(of.owner, subject);
  const { groups, limit } = query;
  const isPer =
    groups === null ||
    (limit === null && groups.keys.length === 1 && groups.keys.every((one) => sameTerm(one, shown as Term)));
  return refers && isKey && others.length === 0 && isPer ? shown : null;
}

/** Rows that rank first themselves, or belong to what does. */
function firstAdjunct({ of, query, itself, tied }: Of<'first'>, r: Realizer): Adjunct {
  // A key stands for its row.
  const rows = tied && query.kind === 'list' && query.groups === null ? { ...query, shown: [] } : query;
  const text = theText(r.query(rows, true));
  const [by] = rows.kind === 'list' && rows.groups === null ? rows.order : [];
  const [shown] = rows.kind === 'list' && rows.shown.length === 1 ? rows.columns : [];
  // Treatments of the breed with the fewest dogs, not of its code.
  const [, referred] = /^the \S+ of (the .*)$/.exec(text) ?? [];
  if (shown !== undefined && isReference(shown) && !itself && referred !== undefined)
    return { place: 'of', text: `of ${referred}` };
  // The shown value is the ranking one: with the second highest score of films.
  if (by !== undefined && shown !== undefined && signature(by.of) === signature(shown)) {
    const owner = ownerBeyond(of, r);
    // Whose district has the second highest number of crimes.
    const bare = owner === null ? text : text.replace(new RegExp(` of ${manyOf(owner)}$`), '');
    return owner === null
      ? { place: 'with', text }
      : { place: 'whose', owner: oneOf(owner), text: `has ${bare}` };
  }
  return itself ? { place: 'that', verb: 'are', text } : { place: 'of', text: `of ${text}` };
}

/** `power = 3 OR power IS NULL`: a given power or no known one; null for other alternatives. */
function valueOrNone(items: readonly Condition[], r: Realizer): Adjunct | null {
  const missing = items.find((one) => one.kind === 'known');
  const other = items.find((one) => one !== missing);
  if (items.length !== 2 || missing?.kind !== 'known' || !missing.negated) return null;
  if (other?.kind !== 'compare' && other?.kind !== 'match' && other?.kind !== 'range') return null;
  if (signature(other.of) !== signature(missing.of)) return null;
  const owner = ownerBeyond(other.of, r);
  const [, clause] = /^the (.*)$/.exec((owner === null ? r : r.about(owner)).clause(other)) ?? [];
  if (clause === undefined) return null;
  const text = joinTexts(clause, clause.includes(' is ') ? 'or' : 'or is', 'missing');
  return owner === null
    ? { place: 'whose', text }
    : { place: 'whose', text: '', owner: oneOf(owner), clause: text };
}

/** `a = 1 AND b = 2 OR a = 3 AND b = 4`: either of two given combinations of a and b; null for other conditions. */
function givenSets(items: readonly Condition[], r: Realizer): string | null {
  const sets = items.map((item) =>
    item.kind !== 'all'
      ? []
      : item.items.flatMap((one) =>
          one.kind === 'compare' && one.relation === 'equal' && one.to.kind === 'given' ? [one.of] : [],
        ),
  );
  const [first = []] = sets;
  const complete = items.every((item, i) => item.kind === 'all' && item.items.length === sets[i]?.length);
  const same = sets.every((set) => set.map(signature).sort().join() === first.map(signature).sort().join());
  if (!complete || !same || first.length < 2) return null;
  const count = COUNTS[items.length] ?? 'several';
  const of = namesOnce(listed(first.map((term) => singularText(r.noun(term)))));
  return `${items.length === 2 ? 'either' : 'any'} of ${count} given combinations of ${of}`;
}

/** Alternatives that all have the same place; null where they need clauses. */
function anyAdjunct({ items }: Junction, r: Realizer, alone: boolean): Adjunct | null {
  const optional = r.attempt(() => valueOrNone(items, r));
  if (optional !== null) return optional;
  const sets = givenSets(items, r);
  if (sets !== null && r.style === 'summary') return { place: 'with', text: sets };
  const adjuncts = items.map((item) =>
    /^(compare|match|range|known|exists)$/.test(item.kind) ? adjunctOf(item, r, false) : null,
  );
  const [first] = adjuncts;
  // Values compared with each other are clearer in a clause.
  if (items.some((item) => item.kind === 'compare' && item.to.kind === 'property')) return null;
  if (!alone || first === null || first === undefined) return null;
  if (adjuncts.some((one) => one === null || one.place === 'where')) return null;
  // "Whose country starts with a given text or in a given year" would be about the country alone.
  const clauses = adjuncts.filter((one) => one?.place === 'whose' || one?.place === 'that').length;
  const which = relativePronoun(r.subject, r);
  const asClause = (one: Adjunct) => {
    if (clauses === 0 || clauses === adjuncts.length) return null;
    const verb = { with: 'have', in: 'are in', at: 'are at', kind: 'are of', by: 'are by' }[
      one.place as 'with'
    ];
    return verb === undefined
      ? null
      : `${which} ${verb} ${textAt(one.place, [one], 'for').replace(/^(with|in|at|of|by) /, '')}`;
  };
  const isMixed = clauses > 0 && clauses < adjuncts.length;
  if (
    isMixed &&
    adjuncts.some((one) => one !== null && !/^(whose|that)$/.test(one.place) && asClause(one) === null)
  )
    return null;
  // A verb, or the owner of a predicate, is not part of the text.
  const plain = adjuncts.every(
    (one) => one?.place === first.place && one.owner === undefined && one.verb === undefined,
  );
  const texts = adjuncts.flatMap((one) =>
    one === null
      ? []
      : [
          plain
            ? one.text
            : ((isMixed && !/^(whose|that)$/.test(one.place) ? asClause(one) : null) ??
              textAt(one.place, [one], 'for', which)),
        ],
  );
  return { place: plain ? first.place : 'of', text: listed([...new Set(texts)], 'or') };
}
