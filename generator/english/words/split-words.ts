import { spellOut, withoutAccents } from '../../../services/base/plain-letters.ts';

/** What symbols in identifiers say. */
const SYMBOLS: readonly (readonly [RegExp, string])[] = [
  [/%/g, ' percent '],
  [/#/g, ' number '],
  [/&/g, ' and '],
  [/\+\/-/g, ' '],
  [/\+/g, ' plus '],
  [/@/g, ' at '],
  [/[$€£]/g, ' amount '],
  [/<=?/g, ' under '],
  [/>=?/g, ' over '],
  [/\(?\b[Yy]\/[Nn]\b\)?/g, ' '],
  [/\b([A-Z])-(\d+)\b/g, '$1$2'],
  [/(\p{L})['’]s\b/gu, '$1'],
  [/['’]/g, ''],
];

/**
 * The words of an identifier or a short text, in the case they were written in, ASCII only; repeated
 * neighbours are one. `Percent (%) Eligible Free (K-12)` gives Percent, Eligible, Free, K, 12. Empty when
 * nothing of it can be written in ASCII.
 */
export function splitWords(text: string): readonly string[] {
  let plain = withoutAccents(text);
  for (const [symbol, words] of SYMBOLS) plain = plain.replace(symbol, words);
  plain = spellOut(plain, ' ');
  plain = plain
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/(?<![A-Z])([A-Z]+)([A-Z][a-z])/g, (whole, caps: string, word: string) =>
      // The plural of an acronym (`IDs`) stays one word.
      word.length === 2 && word.endsWith('s') ? whole : `${caps} ${word}`,
    );
  const words = plain.split(/[^A-Za-z\d]+/).filter((word) => word !== '');
  return words.filter((word, i) => word.toLowerCase() !== words[i - 1]?.toLowerCase());
}

/** The words of an identifier, lower case. */
export function lowerWords(text: string): readonly string[] {
  return splitWords(text).map((word) => word.toLowerCase());
}
