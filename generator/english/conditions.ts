import type { Clauses, Condition, ListClauses, Term, Thing } from './clauses/clause.ts';
import { signature } from './clauses/conditions.ts';
import {
  article,
  countedPlural,
  isUncounted,
  joinTexts,
  manyOf,
  type NounPhrase,
  oneOf,
  pluralText,
  sameThing,
  singularText,
  theText,
  withArticle,
} from './noun-phrase.ts';
import type { Realizer } from './realizer.ts';
import { MATCHES, RELATIONS, SUPERLATIVES } from './relations.ts';
import { listed } from './words/word-lists.ts';

type Of<K extends Condition['kind']> = Extract<Condition, { kind: K }>;
type Junction = Extract<Condition, { readonly items: readonly Condition[] }>;

// --------------------------------------------------------------------------------------------- clauses

/** A condition as a clause: the score is above a given value; in descriptions with signs and names. */
export function clauseOf(condition: Condition, subject: Thing | null, r: Realizer): string {
  const of = (term: Term) => subjectText(term, subject, r);
  switch (condition.kind) {
    case 'all':
    case 'any': {
      const texts = condition.items.map((item) => bracketed(item, r.clause(item, subject)));
      return [...new Set(texts)].join(condition.kind === 'all' ? ' and ' : ' or ');
    }
    case 'not':
      return `not (${r.clause(condition.item, subject)})`;
    case 'compare':
      return compareClause(condition, subject, r);
    case 'range': {
      const about = r.noun(condition.of, subject);
      const [low, high] = [condition.low, condition.high].map((end) => valueText(end, about, subject, r));
      const not = condition.negated ? 'not ' : '';
      return `${of(condition.of)} is ${not}between ${low} and ${high}`;
    }
    case 'match': {
      const words = MATCHES[condition.how];
      const value = valueText(condition.to, r.noun(condition.of, subject), subject, r, words.what);
      const tail = condition.how === 'like' ? ' in any case of letters' : '';
      return `${of(condition.of)} ${words.is[condition.negated ? 1 : 0]} ${value}${tail}`;
    }
    case 'among': {
      const is = condition.negated ? 'is none of' : 'is one of';
      return `${of(condition.of)} ${is} ${valuesText(condition, subject, r)}`;
    }
    case 'known':
      return `${of(condition.of)} is ${condition.negated ? 'missing' : 'known'}`;
    case 'exists':
      return existsClause(condition, r);
    case 'member':
      return `${of(condition.of)} is ${condition.negated ? 'not ' : ''}among ${theText(r.query(condition.query))}`;
    case 'extreme':
      return `${of(condition.of)} is the ${extremeText(condition, subject, r)}`;
    case 'first': {
      const text = brieflyQuery(condition.query, r);
      return `${of(condition.of)} is ${showsItself(condition) ? '' : 'that of '}${theText(text)}`;
    }
    case 'constant':
      return condition.holds ? 'always' : 'never';
    case 'true':
      return `${of(condition.of)} is not zero`;
  }
}

/** In brackets where it could be taken apart. */
function bracketed({ kind }: Condition, text: string): string {
  return ((kind === 'all' || kind === 'any') && / (and|or) /.test(text)) || / where /.test(text)
    ? `(${text})`
    : text;
}

/** What a clause begins with: the score; in descriptions without an article. */
function subjectText(term: Term, subject: Thing | null, r: Realizer): string {
  const np = r.noun(term, subject);
  const text = singularText(np);
  if (term.kind === 'query') return theText(text);
  if (r.style === 'description' || np.head.length === 0) return text;
  return `the ${text}`;
}

function compareClause({ of, relation, to }: Of<'compare'>, subject: Thing | null, r: Realizer): string {
  const about = r.noun(of, subject);
  const words = RELATIONS[relation];
  const exists = countCheck(about, relation, to);
  if (exists !== null)
    return exists === 'none' ? `there are no ${about.counted}` : `there are ${about.counted}`;
  if (isEmptyText(to) && (relation === 'equal' || relation === 'not_equal')) {
    return `${subjectText(of, subject, r)} is ${relation === 'equal' ? '' : 'not '}empty`;
  }
  if (isFlag(of) && to.kind === 'constant') {
    return `${subjectText(of, subject, r)} is ${isUnset(relation, to) ? 'not ' : ''}set`;
  }
  if (relation === 'equal' && of.kind === 'property' && to.kind === 'property' && isShared(of, to))
    return sharedText(of, to);
  const verb = r.style === 'description' ? words.sign : about.scale === 'date' ? words.isDated : words.is;
  const same =
    to.kind === 'property' && verb === 'is'
      ? 'is the same as'
      : verb === 'is not' && to.kind === 'property'
        ? 'is not the same as'
        : verb;
  return `${subjectText(of, subject, r)} ${same} ${valueText(to, about, subject, r)}`;
}

function isEmptyText(term: Term): boolean {
  return term.kind === 'constant' && term.type === 'text' && term.text === '';
}

/** `status & 4`: whether a bit is set. */
function isFlag(term: Term): boolean {
  return term.kind === 'arithmetic' && term.op === 'bits' && term.items[1]?.kind === 'constant';
}

function isUnset(relation: Of<'compare'>['relation'], to: Term): boolean {
  const zero = to.kind === 'constant' && to.text === '0';
  return zero
    ? relation === 'equal' || relation === 'at_most'
    : relation === 'not_equal' || relation === 'below';
}

/** `COUNT(*) > 0` asks whether there are any. */
function countCheck(about: NounPhrase, relation: Of<'compare'>['relation'], to: Term): 'any' | 'none' | null {
  if (about.counted === null || about.lead !== '' || to.kind !== 'constant') return null;
  if (to.text === '0')
    return relation === 'above' || relation === 'not_equal'
      ? 'any'
      : relation === 'equal' || relation === 'at_most'
        ? 'none'
        : null;
  if (to.text !== '1') return null;
  return relation === 'at_least' ? 'any' : relation === 'below' ? 'none' : null;
}

/** A value that something is compared with. */
export function valueText(
  to: Term,
  about: NounPhrase,
  subject: Thing | null,
  r: Realizer,
  what?: 'text' | 'value' | 'pattern',
): string {
  if (to.kind === 'query') return theText(singularText(r.noun(to, subject)));
  if (to.kind !== 'given') {
    const np = r.noun(to, subject);
    return np.head.length > 0 && r.style !== 'description' ? `the ${singularText(np)}` : singularText(np);
  }
  const kind = what ?? (about.scale === 'date' ? 'date' : about.scale === 'count' ? 'number' : 'value');
  return r.given(to, { ...about, tail: kind, counted: singularText(about) }, 'value');
}

function valuesText({ of, values }: Of<'among'>, subject: Thing | null, r: Realizer): string {
  const about = r.noun(of, subject);
  const [only, ...others] = values;
  if (r.style === 'summary' && values.every(({ kind }) => kind === 'given')) {
    if (others.length > 0) return `${NUMBERS[values.length] ?? 'several'} given values`;
    if (only?.kind === 'given' && only.choice.array) return 'the given values';
  }
  return listed(
    values.map((value) => valueText(value, about, subject, r)),
    'or',
  );
}

const NUMBERS = ['no', 'one', 'two', 'three', 'four', 'five', 'six'];

function existsClause({ thing, query, negated, are, related }: Of<'exists'>, r: Realizer): string {
  const list = query?.kind === 'list' ? query : null;
  const where = list === null ? '' : r.adjuncts(list.conditions, thing);
  const whose = list === null || (related && r.style !== 'description') ? '' : whoseText(list);
  const padded = list === null || r.style !== 'description' ? '' : paddedText(list, r);
  const told = joinTexts(oneOf(thing), whose, where, padded === '' ? '' : `(${padded})`);
  const what = query !== null && list === null ? r.query(query) : told;
  if (are) return `it is ${negated ? 'not ' : ''}${article(what)}`;
  return `there is ${negated ? `no ${what}` : article(what)}`;
}

/** Whose rows a subquery is about: of the studio. */
export function whoseText({ whose }: ListClauses): string {
  return whose.length === 0 ? '' : `of the ${listed([...new Set(whose.map(oneOf))])}`;
}

function extremeText({ of, highest, among }: Of<'extreme'>, subject: Thing | null, r: Realizer): string {
  const np = r.noun(of, subject);
  const [asc, desc] = SUPERLATIVES[np.scale === 'count' || np.scale === 'text' ? 'number' : np.scale];
  return joinTexts(highest ? desc : asc, singularText(np), amongText(among, r));
}

/** Among which rows something is the highest: of all films, among films for a given year. */
function amongText(among: Of<'extreme'>['among'], r: Realizer): string {
  if (among === null) return '';
  if (among.kind !== 'list' || among.subject === null || among.read.length > 0)
    return `among ${r.query(among)}`;
  const where = joinTexts(whoseText(among), r.adjuncts(among.conditions, among.subject));
  return where === '' ? `of all ${manyOf(among.subject)}` : `among ${manyOf(among.subject)} ${where}`;
}

// -------------------------------------------------------------------------------------------- adjuncts

/** What a condition adds after a noun, by where it stands there. */
interface Adjunct {
  readonly place: 'for' | 'of' | 'that' | 'with' | 'except' | 'where';
  /** Of what comes after "that": that have films, that are the ones. */
  readonly verb?: 'have' | 'are';
  /** True where nothing more is said of what they have. */
  readonly alone?: boolean;
  readonly text: string;
}

const PLACES: readonly Adjunct['place'][] = ['for', 'of', 'that', 'with', 'where', 'except'];

/** What is said of what there is no room for. */
const FURTHER = 'under further conditions';

/** Conditions after a noun: for a given year and type that have awards with a score above a given value. */
export function adjunctsOf(
  conditions: readonly Condition[],
  subject: Thing | null,
  r: Realizer,
  lead: 'for' | 'with' | 'one',
): string {
  if (conditions.length === 0) return '';
  if (r.style === 'description') {
    const texts = conditions.map((one) =>
      conditions.length > 1 ? bracketed(one, r.clause(one, subject)) : r.clause(one, subject),
    );
    return `where ${[...new Set(texts)].join(' and ')}`;
  }
  const flat = conditions.flatMap((one) => (one.kind === 'all' ? one.items : [one]));
  const shown = [...flat].slice(0, r.detail.conditions);
  const said = inPlaces(shown).flatMap((one) => adjunctOf(one, subject, r, flat.length === 1) ?? []);
  const textsIn = (place: Adjunct['place']) => [
    ...new Set(said.filter((one) => one.place === place).map(({ text }) => text)),
  ];
  const texts = PLACES.flatMap((place) => {
    const own = textsIn(place);
    if (own.length === 0) return [];
    if (place === 'for' && lead === 'with' && textsIn('that').length === 0 && textsIn('with').length > 0)
      return [];
    if (place === 'with' && lead === 'with' && textsIn('that').length === 0) {
      return [`with ${listed([...givens(textsIn('for')), ...own])}`];
    }
    if (place === 'for') return [`${lead === 'with' ? 'with' : 'for'} ${givenList(own)}`];
    if (place === 'of') return own;
    if (place === 'that')
      return [
        `that ${listed(
          together(
            said.filter((one) => one.place === place),
            lead === 'one',
          ),
        )}`,
      ];
    return [`${place === 'except' ? 'except those' : place} ${listed(own)}`];
  });
  return joinTexts(texts.join(' '), shown.length < flat.length ? FURTHER : '');
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

/** a given year, a given type → a given year and type */
function givenList(texts: readonly string[]): string {
  return listed(givens(texts));
}

function givens(texts: readonly string[]): readonly string[] {
  const given = texts.flatMap((text) => (text.startsWith('a given ') ? [text.slice('a given '.length)] : []));
  const others = texts.filter((text) => !text.startsWith('a given '));
  return [...(given.length > 0 ? [`a given ${listed(given)}`] : []), ...others];
}

function adjunctOf(condition: Condition, subject: Thing | null, r: Realizer, alone: boolean): Adjunct {
  const said = r.attempt(() => plainAdjunct(condition, subject, r, alone));
  return said ?? { place: 'where', text: r.clause(condition, subject) };
}

/** The same without a clause; null where it takes one. */
function plainAdjunct(
  condition: Condition,
  subject: Thing | null,
  r: Realizer,
  alone: boolean,
): Adjunct | null {
  switch (condition.kind) {
    case 'compare':
      return compareAdjunct(condition, subject, r);
    case 'among':
      return amongAdjunct(condition, subject, r);
    case 'match': {
      const np = r.noun(condition.of, subject);
      if (condition.how === 'like' && !condition.negated && condition.to.kind === 'given') {
        return { place: 'for', text: r.given(condition.to, np, 'thing') };
      }
      if (!isPlainNoun(np)) return null;
      const words = MATCHES[condition.how];
      const value = valueText(condition.to, np, subject, r, words.what);
      return { place: 'with', text: `${withArticle(np)} ${words.after[condition.negated ? 1 : 0]} ${value}` };
    }
    case 'range':
      return rangeAdjunct(condition, subject, r);
    case 'known': {
      const np = r.noun(condition.of, subject);
      if (!isPlainNoun(np)) return null;
      const known = isUncounted(np) ? 'known' : 'a known';
      return { place: 'with', text: `${condition.negated ? 'no known' : known} ${knownText(np, subject)}` };
    }
    case 'exists':
      return existsAdjunct(condition, r);
    case 'extreme':
      return { place: 'with', text: `the ${extremeText(condition, subject, r)}` };
    case 'member': {
      if (!isNameOf(condition, subject)) return null;
      const text = `${condition.negated ? 'not ' : ''}among ${theText(r.query(condition.query))}`;
      return { place: 'that', verb: 'are', text };
    }
    case 'first':
      return firstAdjunct(condition, r);
    case 'not': {
      const text = joinTexts(r.adjuncts([condition.item], subject));
      return /^(for|with|that|of) /.test(text) ? { place: 'except', text } : null;
    }
    case 'any':
      return anyAdjunct(condition, subject, r, alone);
    default:
      return null;
  }
}

/** What is known of a thing that is called like its own name: its name. */
function knownText(np: NounPhrase, subject: Thing | null): string {
  const text = singularText(np);
  return subject !== null && text === subject.one.join(' ') ? 'name' : text;
}

/** Whether a phrase can stand after "with a". */
function isPlainNoun(np: NounPhrase): boolean {
  return np.head.length > 0 && !np.tail.includes(',');
}

function compareAdjunct(
  { of, relation, to }: Of<'compare'>,
  subject: Thing | null,
  r: Realizer,
): Adjunct | null {
  if (isEmptyText(to) && (relation === 'equal' || relation === 'not_equal')) {
    const np = r.noun(of, subject);
    const empty = relation === 'equal' ? 'an empty' : 'a non-empty';
    return isPlainNoun(np) ? { place: 'with', text: `${empty} ${singularText(np)}` } : null;
  }
  if (isFlag(of) && to.kind === 'constant') {
    const not = isUnset(relation, to);
    return { place: 'with', text: `the ${singularText(r.noun(of, subject))} ${not ? 'not set' : 'set'}` };
  }
  const np = r.noun(of, subject);
  const words = RELATIONS[relation];
  // A column of the row around a subquery, compared with the same of its own.
  if (
    relation === 'equal' &&
    of.kind === 'property' &&
    to.kind === 'property' &&
    (isOwn(of, to) || isShared(of, to))
  )
    return { place: 'with', text: `the same ${singularText(np)}` };
  const ranked = rankedFirst(of, relation, to, subject, r);
  if (ranked !== null) return { place: 'with', text: ranked };
  const counted = countedPlural(np);
  if (relation === 'equal' && to.kind === 'given' && np.plain && counted === null) {
    return { place: 'for', text: r.given(to, np, 'thing') };
  }
  if (counted !== null && relation !== 'not_equal') {
    const exists = countCheck({ ...np, counted }, relation, to);
    if (exists !== null)
      return { place: 'with', text: exists === 'none' ? `no ${counted}` : `any ${counted}` };
    if (to.kind === 'constant' || to.kind === 'given') {
      const number =
        to.kind === 'constant'
          ? singularText(r.noun(to, subject))
          : `${r.given(to, { ...np, tail: 'number' }, 'value')}${r.style === 'summary' ? ' of' : ''}`;
      return {
        place: 'with',
        text: joinTexts(relation === 'equal' && to.kind === 'given' ? '' : words.many, number, counted),
      };
    }
  }
  if (!isPlainNoun(np)) return null;
  const after = np.scale === 'date' ? words.afterDated : words.after;
  const value = valueText(to, np, subject, r);
  if (relation === 'equal' && to.kind === 'constant')
    return { place: 'with', text: `${singularText(np)} ${value}` };
  return { place: 'with', text: `${withArticle(np)} ${after} ${value}` };
}

function sharedText(
  of: Extract<Term, { kind: 'property' }>,
  to: Extract<Term, { kind: 'property' }>,
): string {
  const owners = [of.owner, to.owner].flatMap((owner) => (owner === null ? [] : [oneOf(owner)]));
  return `${listed(owners)} have the same ${of.own.text}`;
}

function isOwn(of: Extract<Term, { kind: 'property' }>, to: Extract<Term, { kind: 'property' }>): boolean {
  return to.owner?.one[0] === 'own' && of.own.text === to.own.text;
}

/** Whether rows of two tables are asked to have the same of one kind: the same post ID. */
function isShared(of: Extract<Term, { kind: 'property' }>, to: Extract<Term, { kind: 'property' }>): boolean {
  return (
    of.own.text === to.own.text &&
    of.own.words.length > 1 &&
    !of.inRole &&
    !to.inRole &&
    of.base?.table !== to.base?.table
  );
}

/** `RANK() … = 1`: with the highest price within each category; null for any other place. */
function rankedFirst(
  of: Term,
  relation: Of<'compare'>['relation'],
  to: Term,
  subject: Thing | null,
  r: Realizer,
): string | null {
  if (of.kind !== 'window' || of.rank === null || of.order.length !== 1) return null;
  const [by] = of.order;
  if (by === undefined || relation !== 'equal' || to.kind !== 'constant' || to.text !== '1') return null;
  const np = r.noun(by.of, subject);
  if (np.scale === 'text') return null;
  const [asc, desc] = SUPERLATIVES[np.scale === 'count' ? 'number' : np.scale];
  const within = of.within.map((one) => singularText(r.noun(one, subject)));
  return joinTexts(
    'the',
    by.direction === 'desc' ? desc : asc,
    singularText(np),
    within.length === 0 ? '' : `within each ${listed(within)}`,
  );
}

function amongAdjunct(condition: Of<'among'>, subject: Thing | null, r: Realizer): Adjunct | null {
  const np = r.noun(condition.of, subject);
  if (!np.plain) return null;
  if (r.style === 'question' || !condition.values.every(({ kind }) => kind === 'given')) {
    if (!isPlainNoun(np)) return null;
    const values = valuesText(condition, subject, r);
    return { place: 'with', text: `${withArticle(np)} ${condition.negated ? 'other than' : 'of'} ${values}` };
  }
  const many = pluralText(np);
  const count = condition.values.length;
  const given = count === 1 ? `the given ${many}` : `${NUMBERS[count] ?? 'several'} given ${many}`;
  if (condition.negated)
    return {
      place: 'with',
      text: `${withArticle(np)} other than ${count === 1 ? 'the given ones' : `${NUMBERS[count] ?? 'several'} given ones`}`,
    };
  return { place: 'for', text: `${count === 2 ? 'either of' : 'any of'} ${given}` };
}

function rangeAdjunct(
  { of, low, high, negated }: Of<'range'>,
  subject: Thing | null,
  r: Realizer,
): Adjunct | null {
  const np = r.noun(of, subject);
  if (!isPlainNoun(np)) return null;
  const kind = np.scale === 'date' ? 'dates' : np.scale === 'count' ? 'numbers' : 'values';
  const given = low.kind === 'given' && high.kind === 'given' && r.style === 'summary';
  const ends = given
    ? `two given ${kind}`
    : `${valueText(low, np, subject, r)} and ${valueText(high, np, subject, r)}`;
  return { place: 'with', text: `${withArticle(np)} ${negated ? 'not between' : 'between'} ${ends}` };
}

function existsAdjunct({ thing, are, query, related, negated }: Of<'exists'>, r: Realizer): Adjunct | null {
  if (query !== null && (query.kind !== 'list' || query.read.length > 0 || query.groups !== null || !related))
    return null;
  const conditions = query?.conditions ?? [];
  const untold = conditions.length > 0 && !r.detail.nested;
  const where = untold ? FURTHER : r.adjuncts(conditions, thing);
  const what = joinTexts(manyOf(thing), where);
  if (are) return { place: 'that', verb: 'are', text: `${negated ? 'not ' : ''}${what}` };
  return {
    place: 'that',
    verb: 'have',
    alone: where === '' && !negated,
    text: `${negated ? 'no ' : ''}${what}`,
  };
}

/** Whether the names of rows are looked for among names of rows like them. */
function isNameOf({ of, query }: Of<'member'>, subject: Thing | null): boolean {
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

/** Rows that rank first themselves, or belong to what does. */
function firstAdjunct({ query, itself, tied }: Of<'first'>, r: Realizer): Adjunct {
  // What a key stands for is the row.
  const rows = tied && query.kind === 'list' && query.groups === null ? { ...query, shown: [] } : query;
  const text = theText(brieflyQuery(rows, r));
  const [by] = rows.kind === 'list' && rows.groups === null ? rows.order : [];
  const [shown] = rows.kind === 'list' && rows.shown.length === 1 ? rows.columns : [];
  // What is shown is what ranks: with the second highest score of films.
  if (by !== undefined && shown !== undefined && signature(by.of) === signature(shown))
    return { place: 'with', text };
  return itself ? { place: 'that', verb: 'are', text } : { place: 'of', text: `of ${text}` };
}

/** A query inside a condition, without its own conditions where there is no room for them. */
function brieflyQuery(query: Clauses, r: Realizer): string {
  if (r.detail.nested || query.kind !== 'list' || query.conditions.length === 0) return r.query(query);
  return joinTexts(r.query({ ...query, conditions: [] }), FURTHER);
}

/** Whether what ranks first is the value itself: a county, not a row that has it. */
function showsItself({ of, query }: Of<'first'>): boolean {
  const [shown] = query.kind === 'list' ? query.columns : [];
  return (
    query.kind === 'list' &&
    query.groups !== null &&
    of.kind === 'property' &&
    shown?.kind === 'property' &&
    of.own.text === shown.own.text
  );
}

/** `power = 3 OR power IS NULL`: a given power or no known one. */
function givenOrNone(items: readonly Condition[], subject: Thing | null, r: Realizer): string | null {
  const equal = items.find((one) => one.kind === 'compare');
  const missing = items.find((one) => one.kind === 'known');
  if (items.length !== 2 || equal?.kind !== 'compare' || missing?.kind !== 'known' || !missing.negated)
    return null;
  const { of, relation, to } = equal;
  const np = r.noun(of, subject);
  if (relation !== 'equal' || to.kind !== 'given' || !np.plain || signature(of) !== signature(missing.of))
    return null;
  return `${r.given(to, np, 'thing')} or ${isUncounted(np) ? 'none known' : 'no known one'}`;
}

/** `a = 1 AND b = 2 OR a = 3 AND b = 4`: either of two given pairs of a and b; null for what is none. */
function givenSets(items: readonly Condition[], subject: Thing | null, r: Realizer): string | null {
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
  const count = NUMBERS[items.length] ?? 'several';
  const what = first.length === 2 ? 'pairs' : 'combinations';
  const of = listed(first.map((term) => singularText(r.noun(term, subject))));
  return `${items.length === 2 ? 'either' : 'any'} of ${count} given ${what} of ${of}`;
}

/** Alternatives that all are equalities with what is given. */
function anyAdjunct({ items }: Junction, subject: Thing | null, r: Realizer, alone: boolean): Adjunct | null {
  const optional = givenOrNone(items, subject, r);
  if (optional !== null) return { place: 'with', text: optional };
  const sets = givenSets(items, subject, r);
  if (sets !== null && r.style === 'summary') return { place: 'for', text: sets };
  const said = items.map((item) =>
    item.kind === 'compare' || item.kind === 'match' || item.kind === 'range' || item.kind === 'known'
      ? adjunctOf(item, subject, r, false)
      : null,
  );
  const [first] = said;
  if (!alone || first === null || first === undefined) return null;
  if (said.some((one) => one === null || one.place !== first.place || one.place === 'where')) return null;
  const texts = said.flatMap((one) => (one === null ? [] : [one.text]));
  return { place: first.place, text: listed([...new Set(texts)], 'or') };
}

/** What outer joins keep although there is nothing to join: kept also where there is no studio. */
export function paddedText({ padded }: ListClauses, r: Realizer): string {
  const texts = padded.map(({ thing, where }) => joinTexts(oneOf(thing), r.adjuncts(where, thing)));
  return texts.length === 0 ? '' : `kept also where there is no ${listed([...new Set(texts)], 'or')}`;
}
