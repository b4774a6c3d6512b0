import pluralize from 'pluralize';

/** Words that say nothing of what is asked for. */
const COMMON = new Set(
  'a an and are as at be by do does did for from had has have how in is it its list many me much of on or please show tell than that the their there these this those to was were what when where which who whose will with you your give name find all each'.split(
    ' ',
  ),
);

/** The words of a text for matching: lower case, singular, names cut at underscores and capitals, common words left out. */
export function wordsOf(text: string): string[] {
  return text
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '' && !COMMON.has(word))
    .map(singular);
}

/** The same words come again and again, and finding a plural takes a hundred patterns. */
const SINGULARS = new Map<string, string>();
const MOST_KEPT = 50_000;

function singular(word: string): string {
  const known = SINGULARS.get(word) ?? pluralize.singular(word);
  if (SINGULARS.size < MOST_KEPT) SINGULARS.set(word, known);
  return known;
}
