import { expect, test } from 'vitest';
import type { Facet } from '../../contracts/catalog.ts';
import { facetWords } from './search-words.ts';

const FISH: Facet = { phrases: ['Known for grilled fish.', 'Fish from the grill.'], terms: [] };
const MUSIC: Facet = {
  phrases: ['Jazz on Fridays.', 'Live music.'],
  terms: ['concerts', 'bands', 'grilling'],
};

test('a facet is searched for by terms where it has some, else by its phrases, and only by what is of no other facet', () => {
  const words = facetWords([FISH, MUSIC]);
  const formsOf = (facet: Facet) =>
    words.filter((word) => word.facet === facet).flatMap(({ forms }) => forms);
  expect(formsOf(FISH)).toEqual(['fish', 'known']);
  expect(formsOf(MUSIC)).toEqual(['bands', 'concerts']);
});
