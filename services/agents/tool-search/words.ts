import { stemmer } from 'stemmer';

/** Words that say nothing of what is asked for. */
const COMMON = new Set(
  (
    'a an and are as at be been being by do does did for from had has have having how in is it its i me my please ' +
    'show tell than that the their them there these they this those to was were what when where which who whose will ' +
    'with would you your give name find all each list can could among also out of on or if not no any per between ' +
    'within into over under about so such s t'
  ).split(' '),
);

/** The stems of a text's words, in order: lower case, no accents, names cut at underscores and capitals. */
export function stemsOf(text: string): string[] {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '' && !COMMON.has(word))
    .map(stem);
}

const stems = new Map<string, string>();
const MOST_STEMS = 50_000;

function stem(word: string): string {
  const known = stems.get(word);
  if (known !== undefined) return known;
  const found = stemmer(word);
  // Questions bring words of any kind.
  if (stems.size < MOST_STEMS) stems.set(word, found);
  return found;
}
