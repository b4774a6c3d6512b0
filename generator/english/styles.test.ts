import { describe, expect, test } from 'vitest';
import type { Choice, Role } from '../template/choices.ts';
import type { Condition, Given, ListClauses, Property, Scale, Shown, Term, Thing } from './clause.ts';
import { describeParameter } from './describe-endpoint.ts';
import { BARE_LIST, knownRows, measuresOf, namedGroup, perKeys, showsRank } from './lists.ts';
import { nameParameters } from './names.ts';
import { singularText } from './noun-phrase.ts';
import { conditionWords, headWords } from './query-words.ts';
import { descriptionRealizer, parameterRealizer, questionText, summarise } from './realize.ts';
import { ValueGuard } from './realizer.ts';
import { wordsOf } from './term-words.ts';

/** What trees of clauses say in each style, made by hand: no SQL is read here. */

const FILM: Thing = { one: ['film'], many: ['films'] };
const STUDIO: Thing = { one: ['studio'], many: ['studios'] };

function column(own: string, owner = FILM, scale: Scale = 'number'): Property {
  const full = `${owner.one.join(' ')} ${own}`;
  return {
    kind: 'property',
    own: { words: own.split(' '), text: own },
    full: { words: full.split(' '), text: full },
    owner,
    part: null,
    clear: false,
    inRole: false,
    referring: [],
    holders: [],
    ways: [],
    scale,
    base: null,
  };
}

const [TYPE, SCORE, OPENED] = [
  column('type', FILM, 'text'),
  column('score'),
  column('opening', FILM, 'date'),
];
const COUNTED: Term = { kind: 'count', of: FILM, distinct: false, known: null, where: null, having: null };
const AVERAGE: Term = {
  kind: 'summary',
  name: 'average',
  call: 'avg',
  of: SCORE,
  distinct: false,
  where: null,
  zeros: false,
  known: null,
  order: null,
};

function chosen(role: Role, value: Choice['value'] = 7, negated = false): Choice {
  return {
    role,
    clause: 'filter',
    negated,
    removed: false,
    subject: null,
    column: null,
    scope: { kind: 'values', with: [], rows: [] },
    type: typeof value === 'number' ? 'number' : 'string',
    array: Array.isArray(value),
    anyNumber: false,
    prefix: '',
    suffix: '',
    occurrences: [],
    value,
  };
}

function given(role: Role, value?: Choice['value']): Given {
  return { kind: 'given', choice: chosen(role, value), shifts: [] };
}

function shown(term: Term, more: Partial<Shown> = {}): Shown {
  return { term, owner: FILM, role: 'other', stands: null, columns: [0], ...more };
}

const NAME = shown(column('title', FILM, 'text'), { role: 'label', stands: FILM });

function list(more: Partial<ListClauses>): ListClauses {
  return { ...BARE_LIST, subject: FILM, shown: [NAME], ...more };
}

describe('a term', () => {
  const ratio: Term = { kind: 'ratio', top: AVERAGE, bottom: COUNTED, percent: false };
  const change: Term = { kind: 'change', from: SCORE, to: column('later score'), loss: false, percent: true };
  const sum: Term = { kind: 'arithmetic', op: '+', items: [SCORE, SCORE], whole: false, step: null };
  const label: Term = { kind: 'constant', text: 'short', type: 'text' };
  const unless: Term = { kind: 'fallback', how: 'known', items: [SCORE, { ...label, text: 'none' }] };
  const windowed: Term = {
    kind: 'window',
    rank: null,
    place: null,
    of: AVERAGE,
    reach: 'all',
    frame: null,
    within: [],
    order: [],
  };

  test.each<[text: string, head: string, noun: string, term: Term]>([
    ['film score', 'film score', 'film score', SCORE],
    ['number of films', 'count films', 'film count', COUNTED],
    ['average film score', 'average film score', 'average film score', AVERAGE],
    [
      'ratio of the average film score to the number of films',
      'average film score to film count ratio',
      'average film score to film count ratio',
      ratio,
    ],
    [
      'percentage change from film score to film later score',
      'film score growth',
      'film score growth',
      change,
    ],
    ['sum of film score and film score', 'total film score', 'total film score', sum],
    ['film score ("none" if missing)', 'film score', 'film score', unless],
    ['average film score over all rows', 'average film score', 'average film score', windowed],
    ['"short"', 'fixed value', 'fixed value', label],
    [
      'opening year',
      'opening year',
      'opening year',
      { kind: 'date_part', part: 'year', of: { ...OPENED, clear: true } },
    ],
  ])('is %s in a sentence, and %s or %s in a name', (text, head, noun, term) => {
    expect([
      singularText(parameterRealizer().noun(term)),
      wordsOf(term, 'head').join(' '),
      wordsOf(term).join(' '),
    ]).toEqual([text, head, noun]);
  });
});

describe('a condition', () => {
  const typed: Condition = { kind: 'compare', of: TYPE, relation: 'equal', to: given('equal', 'short') };
  const scored: Condition = { kind: 'compare', of: SCORE, relation: 'at_least', to: given('at_least') };

  test.each<[summary: string, description: string, question: string, name: string, condition: Condition]>([
    ['Films of a given type', 'type = `x`', 'Films whose type is short', '', typed],
    [
      'Films with a score of at least a given value',
      'score >= `x`',
      'Films with a score of at least 7',
      '',
      scored,
    ],
    [
      'Films opened after a given date',
      'opening > `x`',
      'Films opened after 2001-02-03',
      '',
      { kind: 'compare', of: OPENED, relation: 'above', to: given('above', '2001-02-03') },
    ],
    [
      'Films with a type starting with a given text',
      'type starts with `x`',
      'Films with a type starting with sh',
      '',
      {
        kind: 'match',
        of: TYPE,
        how: 'starts_with',
        to: given('starts_with', 'sh'),
        sign: null,
        negated: false,
      },
    ],
    [
      'Films without a score',
      'score is missing',
      'Films without a score',
      'without film score',
      { kind: 'known', of: SCORE, negated: true },
    ],
    [
      'Films with the highest score',
      'score is the highest score',
      'Films with the highest score',
      'with highest film score',
      { kind: 'extreme', of: SCORE, highest: true, among: null },
    ],
    [
      'Films except those of a given type',
      'not (type = `x`)',
      'Films except those whose type is short',
      '',
      { kind: 'not', item: typed },
    ],
    [
      'Films with a score between two given values',
      'score is between `x` and `x`',
      'Films with a score between 5 and 7',
      '',
      { kind: 'range', of: SCORE, low: given('low', 5), high: given('high'), negated: false },
    ],
    [
      'Films that have no studios',
      'there is no studio',
      'Films that have no studios',
      'without studios',
      { kind: 'exists', thing: STUDIO, are: false, query: null, related: true, verb: null, negated: true },
    ],
  ])('is said in each style: %s', (summary, description, question, name, condition) => {
    const clauses = list({ conditions: [condition] });
    expect([
      summarise(clauses),
      descriptionRealizer(() => 'x')
        .about(FILM)
        .clause(condition),
      questionText(clauses),
      conditionWords(clauses)
        .map(({ words }) => words.join(' '))
        .join(' '),
    ]).toEqual([summary, description, question, name]);
  });

  test('of a value that was said before says so', () => {
    const value = given('equal', 'short');
    const twice: readonly Condition[] = [typed, { ...typed, to: value }, { ...typed, to: value }];
    expect(summarise(list({ conditions: twice }))).toBe(
      'Films of a given type, another given type and the second type',
    );
  });
});

describe('a parameter', () => {
  test.each<[name: string, description: string, role: Role, value: Choice['value'], negated: boolean]>([
    ['film_score', 'Film score: exact match.', 'equal', 7, false],
    ['excluded_film_score', 'Film score: anything but this value.', 'equal', 7, true],
    ['excluded_film_score', 'Film score: anything but this value.', 'not_equal', 7, false],
    ['above_film_score', 'Film score: above this value.', 'above', 7, false],
    ['above_film_score', 'Maximum film score.', 'above', 7, true],
    ['film_score_before', 'Film score: below this value.', 'below', '2001-02-03', false],
    ['min_film_score', 'Minimum film score.', 'low', 7, false],
    ['max_film_score', 'Film score: end of the range to leave out.', 'high', 7, true],
    [
      'film_score_excludes',
      'Film score: text that it does not contain, ignoring case.',
      'contains',
      'a',
      true,
    ],
    ['film_score_prefix', 'Film score: text that it starts with, ignoring case.', 'starts_with', 'a', false],
    [
      'excluded_film_score_suffix',
      'Film score: text that it does not end with, ignoring case.',
      'ends_with',
      'a',
      true,
    ],
    ['film_score', 'Film score: exact match, ignoring case.', 'like', 'a', false],
    ['film_scores', 'Film score: one of these values.', 'among', [1, 2], false],
    ['excluded_film_scores', 'Film score: none of these values.', 'not_among', [1, 2], false],
  ])('is called %s and described as %s', (name, description, role, value, negated) => {
    const place = { choice: chosen(role, value, negated), of: SCORE };
    const [named] = nameParameters([place], list({}));
    const text = describeParameter(
      { ...place, given: null, operation: null, sign: null, format: '' },
      new ValueGuard([]),
    );
    expect([named?.name, text]).toEqual([name, description]);
  });
});

describe('a list', () => {
  const studio = shown(column('name', STUDIO, 'text'), { owner: STUDIO, role: 'label', stands: STUDIO });
  const groups = { keys: [studio.term], shownKeys: [studio], unshown: [], companions: [] };
  const grouped = list({
    about: 'groups',
    groups,
    shown: [studio, shown(COUNTED, { owner: null, columns: [1] })],
  });
  const most = { of: COUNTED, direction: 'desc' } as const;

  test('of groups is about those that the shown keys name, and shows what these keys do not', () => {
    expect(namedGroup(groups)?.thing).toBe(STUDIO);
    expect(measuresOf(groups, grouped.shown).map(({ term }) => term)).toEqual([COUNTED]);
    expect(perKeys({ ...grouped, groups: { ...groups, unshown: [STUDIO] } })).toEqual([STUDIO]);
    expect([summarise(grouped), headWords(grouped)[0]?.join(' ')]).toEqual([
      'Number of films per studio',
      'count films per studio',
    ]);
  });

  test('of groups that are ranked is named and told by the groups', () => {
    const first = { ...grouped, order: [most], limit: { rows: 1, skipped: 0 } };
    expect([summarise(first), headWords(first)[0]?.join(' ')]).toEqual([
      'The studio with the most films, and how many',
      'studio with most films',
    ]);
  });

  test('of a number that ranks rows is that extreme itself', () => {
    const highest = list({
      shown: [shown(SCORE)],
      order: [{ of: SCORE, direction: 'desc' }],
      limit: { rows: 1, skipped: 1 },
    });
    expect(showsRank(highest, { of: SCORE, direction: 'desc' })).toBe(true);
    expect([summarise(highest), headWords(highest)[0]?.join(' ')]).toEqual([
      'The second highest score of films',
      'second highest film score',
    ]);
  });

  test('of rows by their name has the rest beside it, checks told as such', () => {
    const check = shown(
      { kind: 'check', condition: { kind: 'known', of: SCORE, negated: true } },
      { columns: [2] },
    );
    const rows = list({ shown: [NAME, shown(TYPE, { columns: [1] }), check] });
    expect(knownRows(rows)?.rest).toHaveLength(2);
    expect(summarise(rows)).toBe('Films and their types and whether the score is missing');
  });

  test('too long for a summary leaves out columns before conditions', () => {
    const columns = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth'].map((word, i) =>
      shown(column(`${word} unusually long property`), { columns: [i + 1] }),
    );
    const condition: Condition = { kind: 'compare', of: TYPE, relation: 'equal', to: given('equal') };
    const text = summarise(list({ shown: [NAME, ...columns], conditions: [condition] }));
    expect(text.length).toBeLessThanOrEqual(220);
    expect(text).toMatch(/other details of films of a given type$/);
  });
});
