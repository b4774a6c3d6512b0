import { stemmer } from 'stemmer';
import { SAME_WORDS } from './same-words.ts';

/** Words that say nothing of what is asked for. */
const COMMON = new Set(
  (
    'a an and are as at be been being by do does did for from had has have having how in is it its i me my please ' +
    'show tell than that the their them there these they this those to was were what when where which who whose will ' +
    'with would you your give name find all each list can could among also out of on or if not no any per between ' +
    'within into over under about so such s t'
  ).split(' '),
);

/**
 * The stems of a text's words, in order: lower case, no accents, names cut at underscores and capitals; one stem stands
 * for words that questions and catalogs use for the same thing.
 */
export function stemsOf(text: string): string[] {
  return plain(text)
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '' && !COMMON.has(word))
    .map(stem);
}

/** How often each stem of a text counts in a search. */
export function queryStems(text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const word of stemsOf(text)) counts.set(word, Math.min(MOST_TIMES, (counts.get(word) ?? 0) + 1));
  return counts;
}

/** A text without accents. */
export function plain(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '');
}

const MOST_TIMES = 2;
const MOST_STEMS = 50_000;

const oneOfMany = new Map(
  SAME_WORDS.flatMap((words) => words.map((word) => [stemmer(word), stemmer(words[0] ?? word)] as const)),
);
const stems = new Map<string, string>();

function stem(word: string): string {
  const known = stems.get(word);
  if (known !== undefined) return known;
  const found = stemmer(word);
  const one = oneOfMany.get(found) ?? found;
  // Questions bring words of any kind.
  if (stems.size < MOST_STEMS) stems.set(word, one);
  return one;
}
