import { formatOf } from './catalog-prose.ts';
import {
  type Condition,
  type DatePart,
  type Property,
  sameThing,
  type Term,
  type Thing,
  wordsFor,
} from './clause.ts';
import { eventOf } from './column-text.ts';
import { valueText } from './condition-text.ts';
import { joinTexts, noun, pluralText, rankedPlural, valueWord } from './noun-phrase.ts';
import type { Realizer } from './realizer.ts';
import { isMoment } from './relations.ts';
import { isOfSubject } from './terms.ts';

/** A condition as a predicate, in the vocabulary's words: of one row "was opened before a given date". */
export interface Predicate {
  readonly one: string;
  readonly many: string;
  /** The thing that has the property. */
  readonly owner: Thing | null;
  /** Whether that is the subject of the sentence; else whether each row has one such thing. */
  readonly own: boolean;
  readonly single: boolean;
  /** The part that conditions on the same column share, and the rest: opened, before a given date. */
  readonly about?: string;
  readonly what?: string;
}

/** The predicate of a condition; null where the vocabulary has none. */
export function predicateOf(condition: Condition, r: Realizer): Predicate | null {
  if (!('of' in condition)) return null;
  const { of } = condition;
  const column = of.kind === 'date_part' ? of.of : of;
  if (column.kind !== 'property') return null;
  const of_ = {
    owner: column.owner,
    own: isOfSubject(column, r.subject),
    single: refersTo(r.subject, column),
  };
  const words = wordsFor(column);
  // The start date of a booking, where its column is called booking start date.
  const bare = column.own.words.filter((word) => !column.owner?.one.includes(word));
  if (condition.kind === 'known') {
    const { missing, present } = words;
    const many = condition.negated ? missing : present;
    return of.kind === 'date_part' || many === undefined ? null : { ...of_, many, one: ofOne(many) };
  }
  const dated =
    condition.kind === 'range' ||
    (condition.kind === 'compare' &&
      (condition.relation !== 'equal' || (of.kind === 'date_part' && !of_.own)));
  const when =
    words.when ??
    eventOf(bare) ??
    (dated && column.scale === 'date' && /^date$/i.test(bare.join(' ')) ? 'was dated' : null);
  if (when !== null) {
    const moment = momentText(condition, of as Property | DatePart, r);
    if (moment === null) return null;
    const what = when.endsWith(' in') ? moment.replace(/^in /, 'during ') : moment;
    const about = ofMany(when);
    const [, bare = about] = /^were (.*)$/.exec(about) ?? [];
    const one = when === 'was dated' ? 'is dated' : when;
    return { ...of_, one: `${one} ${what}`, many: `${about} ${what}`, about: bare, what };
  }
  if (of.kind !== 'property') return null;
  const texts = relationText(condition, of, r);
  return texts === null ? null : { ...of_, ...texts };
}

/** Whether each row of a thing has one owner of a column. */
export function refersTo(subject: Thing | null, { referring }: Property): boolean {
  return referring.some((one) => sameThing(one, subject));
}

/** The words for the moment of a predicate: before a given date, in a given year. */
function momentText(condition: Condition, of: Property | DatePart, r: Realizer): string | null {
  const np = r.noun(of);
  const part = of.kind === 'date_part' ? of.part : isMoment(np.scale) ? np.scale : null;
  if (part === null || !/^(date|year|month)$/.test(part)) return null;
  const isEqual = condition.kind === 'compare' && condition.relation === 'equal';
  if (isEqual && of.kind === 'property' && isTimed(of) && condition.to.kind === 'given')
    return `at ${timeText(condition.to, 'time', np, r)}`;
  const on = part === 'date' ? 'on' : 'in';
  if (condition.kind === 'range') {
    const given = condition.low.kind === 'given' && condition.high.kind === 'given' && r.style === 'summary';
    const ends = [condition.low, condition.high].map((end) => valueText(end, np, r));
    const between = given ? `two given ${pluralText(noun(part))}` : ends.join(' and ');
    return condition.negated ? null : `between ${between}`;
  }
  if (condition.kind !== 'compare' || !/^(given|constant|property)$/.test(condition.to.kind)) return null;
  const preposition = {
    equal: on,
    not_equal: null,
    above: 'after',
    at_least: `${on} or after`,
    below: 'before',
    at_most: `${on} or before`,
  }[condition.relation];
  if (preposition === null || (of.kind === 'date_part' && part === 'month' && condition.relation !== 'equal'))
    return null;
  return `${preposition} ${timeText(condition.to, part, np, r)}`;
}

/** Whether dates have a time of day. */
export function isTimed({ base }: Property): boolean {
  return base !== null && formatOf(base.column).includes('HH');
}

function timeText(to: Term, part: string, np: ReturnType<Realizer['noun']>, r: Realizer): string {
  if (to.kind !== 'given') return valueText(to, np, r);
  return r.given(to, { ...np, tail: part, counted: joinTexts(...np.head, part) }, 'value');
}

const THRESHOLD = {
  above: 'more than',
  at_least: 'at least',
  below: 'fewer than',
  at_most: 'at most',
} as const;

/** The predicates of numbers and references: is heavier than a given weight, has more than a given number of beds. */
function relationText(
  condition: Condition,
  of: Property,
  r: Realizer,
): Pick<Predicate, 'one' | 'many'> | null {
  const words = wordsFor(of);
  const np = r.noun(of);
  if (condition.kind === 'compare' && condition.to.kind === 'given') {
    const { relation, to } = condition;
    const than = relation === 'above' ? words.above : relation === 'below' ? words.below : undefined;
    if (than !== undefined) {
      const value = r.given(
        to,
        { ...np, tail: words.quantity ?? valueWord(np), counted: of.full.text },
        'value',
      );
      return { one: `is ${than} ${value}`, many: `are ${than} ${value}` };
    }
    const counts = words.counts ?? rankedPlural(of.owner === null ? np : r.about(of.owner).noun(of));
    if (counts !== null && relation in THRESHOLD && !isOfSubject(of, r.subject)) {
      const value = r.given(to, { ...np, tail: 'number', counted: of.full.text }, 'value');
      const what = `${THRESHOLD[relation as keyof typeof THRESHOLD]} ${value}${r.style === 'summary' ? ' of' : ''} ${counts}`;
      return { one: `has ${what}`, many: `have ${what}` };
    }
    if (words.verb !== undefined && relation === 'equal' && r.style === 'summary')
      return said(words.verb, r.given(to, noun(of.own.text), 'thing'));
  }
  return null;
}

function said(verb: string, object: string): Pick<Predicate, 'one' | 'many'> {
  return { one: `${verb} ${object}`, many: `${ofMany(verb)} ${object}` };
}

const PLURAL_VERBS: Readonly<Record<string, string>> = {
  was: 'were',
  is: 'are',
  has: 'have',
  does: 'do',
  goes: 'go',
};

/** A predicate of one row as one of several: owns → own, was opened → were opened. */
export function ofMany(predicate: string): string {
  const [verb = '', ...rest] = predicate.split(' ');
  const many =
    PLURAL_VERBS[verb] ??
    (/(ss|sh|ch|x|z|o)es$/.test(verb)
      ? verb.slice(0, -2)
      : /.[^aeiou]ies$/.test(verb)
        ? `${verb.slice(0, -3)}y`
        : /[^su]s$/.test(verb)
          ? verb.slice(0, -1)
          : verb);
  return [many, ...rest].join(' ');
}

/** A predicate without any of its objects: were not taken back in any reversals, own no cars. */
export function withNot(predicate: string, objects: string): string {
  const [, verb, rest] = /^(were|was|are|is|can|could|may|must|will) (.*)$/.exec(predicate) ?? [];
  return verb === undefined ? `${predicate} no ${objects}` : `${verb} not ${rest} any ${objects}`;
}

/** A predicate of several rows as one of one row: are still alive → is still alive. */
function ofOne(predicate: string): string {
  const [verb = '', ...rest] = predicate.split(' ');
  if (/^(still|never|also|only|once|no|longer)$/.test(verb)) return `${verb} ${ofOne(rest.join(' '))}`;
  const found = Object.entries(PLURAL_VERBS).find(([, many]) => many === verb)?.[0];
  const past = /ed$|^(died|fell|left|came|went|got|ran|won|lost|can|could|may|must|will|began)$/.test(verb);
  return [found ?? (past ? verb : /(s|sh|ch|x|z)$/.test(verb) ? `${verb}es` : `${verb}s`), ...rest].join(' ');
}
