import { expect, test } from 'vitest';
import { node } from '../../sql/index.ts';
import type { Composition, FixedValue, Idea } from './ideas.ts';
import { type Spoken, wordIdea } from './wording.ts';

const films: Spoken = { things: 'films', thing: 'film', column: 'title', isPlural: false, parts: {} };
const owners: Spoken = {
  things: 'owners',
  thing: 'owner',
  column: 'city',
  isPlural: false,
  parts: { province: 'state' },
};
const posts: Spoken = { things: 'posts', thing: 'post', column: 'tags', isPlural: true, parts: {} };
const airports: Spoken = { things: 'airports', thing: 'airport', column: null, isPlural: false, parts: {} };

type Steps = readonly (readonly [api: string, ...more: FixedValue[]])[];
const composed = (kind: Composition['class'], apis: Steps): Composition => ({
  class: kind,
  steps: apis.map(([api, ...more]) => ({ api, more })),
});
const lexical = (...apis: Steps) => composed('lexical', apis);
const numeric = (...apis: Steps) => composed('numeric', apis);
const geographic = (...apis: Steps) => composed('geographic', apis);

const idea = (composition: Composition, more: Partial<Idea> = {}): Idea => ({
  augmenter: 'filter',
  column: node({ kind: 'column', source: 'T1', name: 'title' }),
  composition,
  test: null,
  direction: 'desc',
  aggregation: 'max',
  isOne: false,
  ...more,
});

const syllables = ['count_syllables'] as const;

test.each<[Spoken, Idea, string]>([
  [
    films,
    idea(lexical(syllables), { test: { op: '=', value: 1 } }),
    'films whose title has exactly 1 syllable',
  ],
  [
    films,
    idea(lexical(syllables), { test: { op: '<', value: 5 } }),
    'films whose title has fewer than 5 syllables',
  ],
  [
    films,
    idea(lexical(['list_words'], ['count_characters', 'vowels'], ['is_divisible', 2])),
    'films whose title has a word with an even number of vowels',
  ],
  [posts, idea(lexical(syllables, ['is_prime'])), 'posts whose tags have a prime number of syllables'],
  [films, idea(numeric(['is_divisible', 32])), 'films whose title is divisible by 32'],
  [
    owners,
    idea(geographic(['get_province_of_place']), { test: { op: '=', value: 'Ohio' } }),
    'owners whose city is in the state Ohio',
  ],
  [
    owners,
    idea(geographic(['get_country_of_place']), { test: { op: '=', value: 'United Kingdom' } }),
    'owners whose city is in the United Kingdom',
  ],
  [
    owners,
    idea(geographic(['get_country_of_place'], syllables, ['is_prime'])),
    'owners whose city is in a country whose name has a prime number of syllables',
  ],
  [
    airports,
    idea(geographic(['calculate_distance', 'Ribe']), { test: { op: '<=', value: 100 } }),
    'airports that are within 100 km of Ribe',
  ],
  [
    airports,
    idea(geographic(['get_latitude_of_place']), { test: { op: '>', value: 50 } }),
    'airports that lie north of 50 degrees of latitude',
  ],
])('a condition on %j', (spoken, given, phrase) => {
  const said = wordIdea('How many are there?', given, spoken);
  expect(said).toBe(`How many are there? Consider only ${phrase}.`);
  const after = wordIdea('Which of them win? Name them', given, spoken);
  expect(after).toBe(`Which of them win? Name them. Consider only ${phrase}.`);
});

test.each<[Idea, string]>([
  [
    idea(lexical(syllables), { augmenter: 'projection' }),
    'List them. Also give the number of syllables in the title of each film.',
  ],
  [
    idea(lexical(['list_words']), { augmenter: 'projection', isOne: true }),
    'List them. Also list the words in the title of the film, one per row.',
  ],
  [
    idea(numeric(['is_prime']), { augmenter: 'projection' }),
    'List them. Also say whether the title of each film is a prime number.',
  ],
  [
    idea(lexical(syllables), { augmenter: 'order' }),
    'List them. Order them by the number of syllables in the title of each film, highest first.',
  ],
  [
    idea(lexical(syllables), { augmenter: 'aggregation', aggregation: 'avg' }),
    'List them. Also give the average number of syllables in the titles of these films.',
  ],
  [
    idea(lexical(syllables, ['is_prime']), { augmenter: 'aggregation', aggregation: 'sum' }),
    'List them. Also give the number of these films whose title has a prime number of syllables.',
  ],
  [
    idea(geographic(['get_country_of_place'], syllables), { augmenter: 'projection' }),
    'List them. Also give the number of syllables in the name of the country that the title of each film is in.',
  ],
])('what is shown besides', (given, sentence) => {
  expect(wordIdea('List them.', given, films)).toBe(sentence);
});
