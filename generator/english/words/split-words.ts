import { spellOut, withoutAccents } from '../../../services/base/plain-letters.ts';
import { FUNCTION_WORDS } from './common-words.ts';

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
 * The words of an identifier or a short text, in the case they were written in: ASCII, or another script as it is;
 * repeated neighbours are one. `Percent (%) Eligible Free (K-12)` gives Percent, Eligible, Free, K, 12. Empty when there
 * are no letters and digits.
 */
export function splitWords(text: string): readonly string[] {
  let plain = withoutAccents(text);
  for (const [symbol, words] of SYMBOLS) plain = plain.replace(symbol, words);
  plain = spellOut(plain, ' ');
  plain = plain
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .replace(/(?<![A-Z])([A-Z]+)([A-Z][a-z])/g, (whole, caps: string, word: string) =>
      // The plural of an acronym (`IDs`) stays one word.
      word.length === 2 && word.endsWith('s') ? whole : `${caps} ${word}`,
    );
  const words = plain.split(/[^\p{L}\p{M}\d]+/u).filter((word) => word !== '');
  return words.filter((word, i) => word.toLowerCase() !== words[i - 1]?.toLowerCase());
}

/** The words of an identifier, lower case. */
export function lowerWords(text: string): readonly string[] {
  return splitWords(text).map((word) => word.toLowerCase());
}

/** Short words that only count at the end of a compound: `petid`. */
const ENDINGS: ReadonlySet<string> = new Set(['id', 'no']);
/** Codes that are words of their own, never the end of another: a `transporteur` has nothing to do with EUR. */
const CODES: ReadonlySet<string> = new Set(['eur', 'usd', 'gbp', 'gdp', 'gnp']);
const MOST = 3;
/** What is longer is no compound of a few words, and would take long to find out about. */
const MOST_LETTERS = 100;

/** Splits a compound written as one word into words of the vocabulary (`satscores` → sat scores); null if it is none. */
export function segment(word: string, vocabulary: ReadonlySet<string>): readonly string[] | null {
  if (word.length > MOST_LETTERS || !/^[a-z]+$/.test(word) || vocabulary.has(word)) return null;
  for (let count = 2; count <= MOST; count++) {
    const found = into(word, count, vocabulary);
    if (found !== null) return found;
  }
  return null;
}

function into(rest: string, count: number, vocabulary: ReadonlySet<string>): readonly string[] | null {
  if (count === 1) return isPart(rest, vocabulary, true) ? [rest] : null;
  // The longest first word wins: `countrylanguage` is country language.
  for (let at = rest.length - 2; at >= 3; at--) {
    const first = rest.slice(0, at);
    if (!isPart(first, vocabulary, false)) continue;
    const others = into(rest.slice(at), count - 1, vocabulary);
    if (others !== null) return [first, ...others];
  }
  return null;
}

function isPart(word: string, vocabulary: ReadonlySet<string>, last: boolean): boolean {
  return (
    (word.length >= 3 && vocabulary.has(word) && !FUNCTION_WORDS.has(word) && !CODES.has(word)) ||
    (last && ENDINGS.has(word))
  );
}
