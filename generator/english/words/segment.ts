import { FUNCTION_WORDS } from './common-words.ts';

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
