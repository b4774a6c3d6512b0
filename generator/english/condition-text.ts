import { article } from '../../contracts/wording.ts';
import {
  type Clauses,
  type Condition,
  type ListClauses,
  manyOf,
  oneOf,
  type Property,
  sameThing,
  signature,
  type Term,
} from './clause.ts';
import {
  isOrAre,
  joinTexts,
  type NounPhrase,
  noun,
  pluralText,
  rankedPlural,
  singularText,
  theText,
  valueWord,
} from './noun-phrase.ts';
import { isOneRow } from './ranking.ts';
import type { Realizer } from './realizer.ts';
import { MATCHES, RELATIONS, relationWords, superlative } from './relations.ts';
import { summaryWord } from './terms.ts';
import { COUNTS, listed } from './words.ts';

/** A condition as a clause: the score is above a given value; in descriptions with signs and names. */
export function clauseOf(condition: Condition, r: Realizer): string {
  switch (condition.kind) {
    case 'all':
    case 'any':
      return junctionClause(condition, r);
    case 'not':
      return `not (${r.clause(condition.item)})`;
    case 'exists':
      return existsClause(condition, r);
    case 'constant':
      return condition.holds ? 'always' : 'never';
    default: {
      const whole = condition.kind === 'compare' ? wholeComparison(condition, r) : null;
      const { verb, object } = whole === null ? predicateOf(condition, r) : NO_PREDICATE;
      const agreeing =
        r.style === 'description' ? verb : verb.replace(/^is\b/, isOrAre(r.noun(condition.of)));
      return whole ?? `${subjectText(condition.of, r)} ${agreeing} ${object}`;
    }
  }
}

/** A condition without its subject. */
interface Predicate {
  readonly verb: string;
  readonly object: string;
}

const NO_PREDICATE: Predicate = { verb: '', object: '' };

type Predicated = Exclude<Condition, Junction | { kind: 'not' | 'exists' | 'constant' }>;

function predicateOf(condition: Predicated, r: Realizer): Predicate {
  switch (condition.kind) {
    case 'compare':
      return comparison(condition, r);
    case 'range': {
      const about = r.noun(condition.of);
      const given = condition.low.kind === 'given' && condition.high.kind === 'given';
      if (given && r.style === 'summary')
        return {
          verb: condition.negated ? 'is not' : 'is',
          object: `between two given ${pluralText(noun(valueWord(about)))}`,
        };
      const [low, high] = [condition.low, condition.high].map((end) => valueText(end, about, r));
      return { verb: condition.negated ? 'is not' : 'is', object: `between ${low} and ${high}` };
    }
    case 'match': {
      const words = MATCHES[condition.how];
      const value = valueText(condition.to, r.noun(condition.of), r, words.what);
      const mark =
        condition.sign === null
          ? ''
          : ` (${singularText(r.noun(condition.sign))} before a sign means the sign)`;
      const tail = condition.how === 'like' ? ' (ignoring case)' : mark;
      return { verb: words.is[condition.negated ? 1 : 0], object: `${value}${tail}` };
    }
    case 'among':
      return {
        verb: condition.negated ? 'is none of' : r.style === 'question' ? 'is' : 'is one of',
        object: valuesText(condition, r),
      };
    case 'known':
      return { verb: 'is', object: condition.negated ? 'missing' : 'known' };
    case 'member': {
      const is = joinTexts(condition.of.kind === 'tuple' ? 'are' : 'is', condition.negated ? 'not' : '');
      const { query } = condition;
      const verb = query.kind === 'list' && isOneRow(query) ? is : `${is} among`;
      return { verb, object: membersText(query, r) };
    }
    case 'extreme':
      return { verb: 'is', object: `the ${extremeText(condition, r)}` };
    case 'first': {
      const text = theText(r.query(condition.query, true));
      return { verb: showsValue(condition) ? 'is' : 'is that of', object: text };
    }
    case 'true':
      return { verb: 'is', object: 'not zero' };
  }
}

/** The values of a query, or of either of two: the sources of flights or the destinations of flights. */
function membersText(query: Clauses, r: Realizer): string {
  if (query.kind !== 'combined' || !query.op.startsWith('union') || query.recursive || query.limit !== null)
    return theText(r.query(query));
  return `${membersText(query.left, r)} or ${membersText(query.right, r)}`;
}

/** Several conditions; alternatives about one value name it once: the power is missing or is above a given value. */
function junctionClause({ kind, items }: Junction, r: Realizer): string {
  const [first] = items;
  const alike = items.every(
    (one) =>
      one.kind === 'match' &&
      first?.kind === 'match' &&
      one.how === first.how &&
      one.sign === null &&
      !one.negated,
  );
  if (kind === 'any' && (r.style !== 'description' || alike)) {
    const text = r.attempt(() => alternativesText(items, r));
    if (text !== null) return text;
  }
  const texts = items.map((item) => bracketed(item, r.clause(item)));
  return [...new Set(texts)].join(kind === 'all' ? ' and ' : ' or ');
}

function alternativesText(items: readonly Condition[], r: Realizer): string | null {
  const plain = items.flatMap((item) => (isPredicated(item) ? [item] : []));
  const [first] = plain;
  if (first === undefined || plain.length < items.length) return null;
  if (plain.some(({ of }) => signature(of) !== signature(first.of))) return null;
  if (plain.some((one) => one.kind === 'compare' && wholeComparison(one, r) !== null)) return null;
  const predicates = plain.map((one) => predicateOf(one, r));
  const once = predicates.every(({ verb }) => verb === predicates[0]?.verb);
  const objects = listed(
    [...new Set(predicates.map(({ verb, object }) => (once ? object : `${verb} ${object}`)))],
    'or',
  );
  return joinTexts(subjectText(first.of, r), once ? (predicates[0]?.verb ?? '') : '', objects);
}

function isPredicated(condition: Condition): condition is Predicated {
  return !/^(all|any|not|exists|constant)$/.test(condition.kind);
}

/** The text of a condition, in brackets if it would be ambiguous without. */
export function bracketed({ kind }: Condition, text: string): string {
  return ((kind === 'all' || kind === 'any') && / (and|or) /.test(text)) || / where /.test(text)
    ? `(${text})`
    : text;
}

/** The subject of a clause: the score; in descriptions without an article. */
function subjectText(term: Term, r: Realizer): string {
  const np = r.noun(term);
  const text = singularText(np);
  if (term.kind === 'query') return theText(text);
  // Brackets show that the number is compared with the count, not with a column in its conditions.
  if (r.style === 'description' && / where (?!missing\))/.test(text)) return `(${text})`;
  if (r.style === 'description' || np.head.length === 0) return text;
  return `the ${text}`;
}

/** A comparison as a whole clause: there are films; both have the same year. */
function wholeComparison({ of, relation, to }: Of<'compare'>, r: Realizer): string | null {
  const about = r.noun(of);
  const exists = countCheck(about, relation, to);
  if (exists !== null)
    return exists === 'none' ? `there are no ${about.counted}` : `there are ${about.counted}`;
  const shared = relation === 'equal' && of.kind === 'property' && to.kind === 'property' && isShared(of, to);
  return shared ? sharedText(of, to) : null;
}

function comparison({ of, relation, to }: Of<'compare'>, r: Realizer): Predicate {
  if (isEmptyText(to) && (relation === 'equal' || relation === 'not_equal')) {
    return { verb: relation === 'equal' ? 'is' : 'is not', object: 'empty' };
  }
  const about = r.noun(of);
  const verb = r.style === 'description' ? RELATIONS[relation].sign : relationWords(relation, about.scale).is;
  const same = to.kind === 'property' && (verb === 'is' || verb === 'is not');
  const other = relation === 'not_equal' && to.kind === 'given' ? 'one' : undefined;
  return { verb: same ? `${verb} the same as` : verb, object: valueText(to, about, r, other) };
}

function existsClause({ thing, query, negated, are, related }: Of<'exists'>, r: Realizer): string {
  const list = query?.kind === 'list' ? query : null;
  const where = list === null ? '' : r.about(thing).adjuncts(list.conditions);
  const whose = list === null || (related && r.style !== 'description') ? '' : whoseText(list);
  const padded = list === null || r.style !== 'description' ? '' : paddedText(list, r);
  const row = joinTexts(oneOf(thing), whose, where, padded === '' ? '' : `(${padded})`);
  const what = query !== null && list === null ? r.query(query) : row;
  if (are) return `it is ${negated ? 'not ' : ''}${article(what)}`;
  return `there is ${negated ? `no ${what}` : article(what)}`;
}

export type Of<K extends Condition['kind']> = Extract<Condition, { kind: K }>;
export type Junction = Extract<Condition, { readonly items: readonly Condition[] }>;

export function isEmptyText(term: Term): boolean {
  return term.kind === 'constant' && term.type === 'text' && term.text === '';
}

/** `COUNT(*) > 0` tests whether rows exist. */
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

/** Whether a comparison requires rows of two tables to share a value: the same post ID. */
export function isShared(of: Property, to: Property): boolean {
  return (
    of.own.text === to.own.text &&
    of.own.words.length > 1 &&
    !of.inRole &&
    !to.inRole &&
    of.base?.table !== to.base?.table
  );
}

/** The right side of a comparison. */
export function valueText(
  to: Term,
  about: NounPhrase,
  r: Realizer,
  what?: 'text' | 'value' | 'pattern' | 'one',
): string {
  if (to.kind === 'query') return extremeOfAll(to.query, about, r) ?? theText(singularText(r.noun(to)));
  if (to.kind !== 'given') {
    const np = r.noun(to);
    // The EU limit of the pollutant, not the pollutant EU limit.
    if (to.kind === 'property' && to.owner !== null && r.style === 'summary') {
      const { own, owner, referring } = to;
      const isBeyond = own.text !== 'ID' && referring.some((one) => sameThing(one, r.subject));
      if (isBeyond && singularText(np) === `${oneOf(owner)} ${own.text}`)
        return `the ${own.text} of the ${oneOf(owner)}`;
    }
    return np.head.length > 0 && r.style !== 'description' ? `the ${singularText(np)}` : singularText(np);
  }
  const kind = what ?? valueWord(about);
  return r.given(to, { ...about, tail: kind, counted: singularText(about) }, 'value');
}

/** The average or an extreme of the compared column over all rows that meet conditions: the average of all shops. */
function extremeOfAll(query: Clauses, about: NounPhrase, r: Realizer): string | null {
  if (query.kind !== 'list' || query.about !== 'all' || query.subject === null || r.style !== 'summary')
    return null;
  const { subject, columns, whose, read, over, padded, conditions } = query;
  const [only, ...others] = columns;
  if (only?.kind !== 'summary' || others.length > 0 || only.where !== null || only.distinct || only.zeros)
    return null;
  const of = r.about(subject).noun(only.of);
  const same =
    only.of.kind === 'property' &&
    sameThing(only.of.owner, subject) &&
    singularText(of) === singularText(about);
  const whole = [...whose, ...read, ...padded].length === 0 && over === null && only.known === null;
  if (!same || !whole || !/^(average|highest|lowest)$/.test(only.name)) return null;
  return joinTexts(
    'the',
    summaryWord(only, of.scale),
    'of all',
    manyOf(subject),
    r.about(subject).adjuncts(conditions),
  );
}

export function valuesText({ of, values }: Of<'among'>, r: Realizer): string {
  const about = r.noun(of);
  const [only, ...others] = values;
  if (r.style === 'summary' && values.every(({ kind }) => kind === 'given')) {
    if (others.length > 0) return `${COUNTS[values.length] ?? 'several'} given values`;
    if (only?.kind === 'given' && only.choice.array) return 'the given values';
  }
  const sets = values.every((one) => one.kind === 'tuple' && one.items.every(({ kind }) => kind === 'given'));
  if (r.style === 'summary' && sets && of.kind === 'tuple') {
    const count = COUNTS[values.length] ?? 'several';
    return `${count} given ${of.items.length === 2 ? 'pair' : 'combination'}${values.length === 1 ? '' : 's'}`;
  }
  return listed(
    values.map((value) => valueText(value, about, r)),
    'or',
  );
}

/** The owner of a subquery's rows: of the studio. */
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

/** The rows of an extreme: of all films, among films for a given year. */
function amongText(among: Of<'extreme'>['among'], r: Realizer): string {
  if (among === null) return '';
  if (among.kind !== 'list' || among.subject === null || among.read.length > 0)
    return `among ${r.query(among)}`;
  const where = joinTexts(whoseText(among), r.about(among.subject).adjuncts(among.conditions));
  return where === '' ? `of all ${manyOf(among.subject)}` : `among ${manyOf(among.subject)} ${where}`;
}

/** Whether a query is named by the value it returns, not by its rows: a county, the ID of a film. */
export function showsValue({ query }: Of<'first'>): boolean {
  const [only] = query.kind === 'list' ? query.shown : [];
  return only !== undefined && only.role !== 'label';
}

/** The rows that outer joins keep without a partner: kept also where there is no studio. */
export function paddedText({ padded }: ListClauses, r: Realizer): string {
  const texts = padded.map(({ thing, where }) => joinTexts(oneOf(thing), r.about(thing).adjuncts(where)));
  return texts.length === 0 ? '' : `kept also where there is no ${listed([...new Set(texts)], 'or')}`;
}
