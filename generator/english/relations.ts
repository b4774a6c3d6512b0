import type { Condition, Relation, Scale, Sort } from './clause.ts';

/** The words of a comparison in every style; the only table of them. */
interface RelationWords {
  /** In descriptions: score > `above_score`. */
  readonly sign: string;
  /** In a clause: the score is above a given value; of dates: is after a given date. */
  readonly is: string;
  readonly isDated: string;
  /** After a noun: with a score above a given value, with a date after a given date. */
  readonly after: string;
  readonly afterDated: string;
  /** Before a number of things: with more than a given number of films. */
  readonly many: string;
  /** In names: before a quantity, after one that is an extreme itself, after a moment. */
  readonly name: readonly [before: string, after: string, dated: string];
  /** In names between two quantities: score above average score. */
  readonly versus: string;
  readonly opposite: Relation;
}

export const RELATIONS: Readonly<Record<Relation, RelationWords>> = {
  equal: {
    sign: '=',
    is: 'is',
    isDated: 'is',
    after: 'equal to',
    afterDated: 'equal to',
    many: 'exactly',
    name: ['', '', ''],
    versus: 'matching',
    opposite: 'not_equal',
  },
  not_equal: {
    sign: '!=',
    is: 'is not',
    isDated: 'is not',
    after: 'other than',
    afterDated: 'other than',
    many: 'other than',
    name: ['excluded', 'excluded', 'excluded'],
    versus: 'other than',
    opposite: 'equal',
  },
  above: {
    sign: '>',
    is: 'is above',
    isDated: 'is after',
    after: 'above',
    afterDated: 'after',
    many: 'more than',
    name: ['above', 'above', 'after'],
    versus: 'above',
    opposite: 'at_most',
  },
  at_least: {
    sign: '>=',
    is: 'is at least',
    isDated: 'is on or after',
    after: 'of at least',
    afterDated: 'on or after',
    many: 'at least',
    name: ['min', 'from', 'from'],
    versus: 'at least',
    opposite: 'below',
  },
  below: {
    sign: '<',
    is: 'is below',
    isDated: 'is before',
    after: 'below',
    afterDated: 'before',
    many: 'fewer than',
    name: ['below', 'below', 'before'],
    versus: 'below',
    opposite: 'at_least',
  },
  at_most: {
    sign: '<=',
    is: 'is at most',
    isDated: 'is on or before',
    after: 'of at most',
    afterDated: 'on or before',
    many: 'at most',
    name: ['max', 'to', 'to'],
    versus: 'at most',
    opposite: 'above',
  },
};

/** The words of a text match in every style, plain and negated. */
interface MatchWords {
  /** In a clause: the title starts with a given text. */
  readonly is: readonly [plain: string, negated: string];
  /** After a noun: with a title starting with a given text. */
  readonly after: readonly [plain: string, negated: string];
  /** The noun for the other text. */
  readonly what: 'text' | 'value' | 'pattern';
  /** In the description of a parameter. */
  readonly parameter: readonly [plain: string, negated: string];
  /** In names, behind what is matched. */
  readonly name: string;
}

const PATTERN = '% stands for any text and _ for any one character';
const GLOB = '* stands for any text, ? for any one character and [abc] for one of these';

export const MATCHES: Readonly<Record<Extract<Condition, { kind: 'match' }>['how'], MatchWords>> = {
  contains: {
    is: ['contains', 'does not contain'],
    after: ['containing', 'not containing'],
    what: 'text',
    parameter: ['text that it contains, ignoring case', 'text that it does not contain, ignoring case'],
    name: 'contains',
  },
  starts_with: {
    is: ['starts with', 'does not start with'],
    after: ['starting with', 'not starting with'],
    what: 'text',
    parameter: ['text that it starts with, ignoring case', 'text that it does not start with, ignoring case'],
    name: 'prefix',
  },
  ends_with: {
    is: ['ends with', 'does not end with'],
    after: ['ending with', 'not ending with'],
    what: 'text',
    parameter: ['text that it ends with, ignoring case', 'text that it does not end with, ignoring case'],
    name: 'suffix',
  },
  like: {
    is: ['is', 'is not'],
    after: ['equal to', 'other than'],
    what: 'value',
    parameter: ['exact match, ignoring case', 'anything but this value, ignoring case'],
    name: '',
  },
  pattern: {
    is: ['matches', 'does not match'],
    after: ['matching', 'not matching'],
    what: 'pattern',
    parameter: [`pattern that it matches; ${PATTERN}`, `pattern that it does not match; ${PATTERN}`],
    name: 'pattern',
  },
  glob: {
    is: ['matches', 'does not match'],
    after: ['matching', 'not matching'],
    what: 'pattern',
    parameter: [`pattern that it matches; ${GLOB}`, `pattern that it does not match; ${GLOB}`],
    name: 'pattern',
  },
};

/** Whether a choice is compared by one of the relations. */
export function isRelation(role: string): role is Relation {
  return role in RELATIONS;
}

/** Whether a choice is matched. */
export function isMatch(role: string): role is keyof typeof MATCHES {
  return role in MATCHES;
}

/** Whether values are moments in time. */
export function isMoment(scale: Scale): scale is 'date' | 'month' | 'year' {
  return scale === 'date' || scale === 'month' || scale === 'year';
}

/** The words of a comparison for values of a scale: on or after a date, in or after a year. */
export function relationWords(relation: Relation, scale: Scale): Pick<RelationWords, 'is' | 'after'> {
  const { is, isDated, after, afterDated } = RELATIONS[relation];
  if (!isMoment(scale)) return { is, after };
  const [isThen, then] = [isDated, afterDated].map((words) =>
    scale === 'date' ? words : words.replace('on or', 'in or'),
  );
  return { is: isThen ?? is, after: then ?? after };
}

const SUPERLATIVES: Readonly<Record<Scale, readonly [asc: string, desc: string]>> = {
  number: ['lowest', 'highest'],
  count: ['fewest', 'most'],
  date: ['earliest', 'latest'],
  month: ['earliest', 'latest'],
  year: ['earliest', 'latest'],
  text: ['first', 'last'],
};

/** Quantities whose extremes are not the lowest and the highest. */
const EXTREMES: readonly (readonly [nouns: RegExp, asc: string, desc: string])[] = [
  [/(^| )(population|area|size|capacity|amount|volume|quantity|budget)( in .*)?$/i, 'smallest', 'largest'],
  [
    /(^| )(duration|length|distance|runtime|delay|((?<!fastest )lap|running|playing|waiting|reaction|response|cooking|exposure|processing) time|(?<!lap )time (?=in (milli)?(seconds|minutes|hours)))( ?in .*)?$/i,
    'shortest',
    'longest',
  ],
  [/(^| )(height|width|depth|breadth)( in .*)?$/i, 'smallest', 'greatest'],
];

type Direction = Sort['direction'];

/** The superlative of the rows that rank first by a value, or by a number of things: most films. */
export function superlative(scale: Scale, direction: Direction): string {
  return SUPERLATIVES[scale][direction === 'asc' ? 0 : 1];
}

/** The same when a number of things, or a quantity, is the noun itself: highest number of films, largest area. */
export function extreme(scale: Scale, direction: Direction, noun = ''): string {
  const own = scale === 'number' ? EXTREMES.find(([nouns]) => nouns.test(noun)) : undefined;
  return own?.[direction === 'asc' ? 1 : 2] ?? superlative(scale === 'count' ? 'number' : scale, direction);
}

/** The order of rows sorted by a value; '' for the obvious one. */
export function orderText(scale: Scale, direction: Direction, noun?: string): string {
  if (scale === 'text') return direction === 'asc' ? '' : 'in descending order';
  return `${extreme(scale, direction, noun)} first`;
}
