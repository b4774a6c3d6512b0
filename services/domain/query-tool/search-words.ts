/** What is asked of the index of words. */
export interface SearchWords {
  /** In the language of FTS5: rows that have every word. */
  readonly all: string;
  /** Rows that have one at least. */
  readonly any: string;
  /** Each word by itself. */
  readonly each: readonly string[];
}

/** Words that tell nothing about what is searched. */
const STOP_WORDS = new Set(
  (
    'a about after all also am an and any are as at be because been before being both but by can could did do does ' +
    'each for from had has have he her here him his how i if in into is it its just like may me more most my no nor ' +
    'not of off on only or other our out over own same she should so some such than that the their them then there ' +
    'these they this those through to too under until up very was we were what when where which while who whom why ' +
    'will with would you your'
  ).split(' '),
);

/** The words of a search without those that tell nothing; null when there are none left. */
export function searchWords(text: string): SearchWords | null {
  const words = text.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  const quoted = [...new Set(words)].filter((word) => !STOP_WORDS.has(word)).map((word) => `"${word}"`);
  return quoted.length === 0 ? null : { all: quoted.join(' AND '), any: quoted.join(' OR '), each: quoted };
}
