import { plainWords } from './plain-words.ts';

/**
 * Syllables of a text by English spelling: groups of vowels, less one for a silent e. Every word has one at least; a
 * text without letters has none.
 */
export function countSyllables(text: string): number {
  return plainWords(text).reduce((sum, word) => sum + syllablesOf(word), 0);
}

const VOWELS = /[aeiouy]+/g;
const SILENT_E = /[^aeiouy]e$/;
const SPOKEN_LE = /[^aeiouy]le$/;
const SILENT_ENDING = /[^aeiouy](?:es|ed)$/;
const SPOKEN_ENDING = /(?:ses|zes|xes|ches|shes|ges|ces|ted|ded)$/;

function syllablesOf(word: string): number {
  const groups = word.match(VOWELS)?.length ?? 0;
  const silent = SILENT_E.test(word)
    ? !SPOKEN_LE.test(word)
    : SILENT_ENDING.test(word) && !SPOKEN_ENDING.test(word);
  return Math.max(1, groups - (silent ? 1 : 0));
}
