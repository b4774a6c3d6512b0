const WORDS = 'no one two three four five six seven eight nine ten'.split(' ');

/** A fixed number of rows in words; `few` when it is large or computed. */
export function limitWords(limit: number | null): string {
  return (limit === null ? undefined : WORDS[limit]) ?? 'few';
}
