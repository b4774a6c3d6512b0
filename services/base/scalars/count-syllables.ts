import lines from './syllables.json' with { type: 'json' };
import { withoutMarks } from './without-marks.ts';

/**
 * Syllables of a text: of each word as CMU's Pronouncing Dictionary says it (its first pronunciation), and of words that
 * it does not have by their spelling. Every word has one at least; a text without letters has none.
 */
export function countSyllables(text: string): number {
  const words = withoutMarks(text).toLowerCase().replaceAll('’', "'").match(WORD) ?? [];
  return words.reduce((sum, word) => sum + (spoken().get(word) ?? syllablesBySpelling(word)), 0);
}

const WORD = /\p{L}+(?:'\p{L}+)*/gu;

/** The words that are spoken with other numbers of syllables than their spelling says; read when first asked for. */
let read: ReadonlyMap<string, number> | undefined;

function spoken(): ReadonlyMap<string, number> {
  read ??= new Map(lines.flatMap((line, count) => line.split(' ').map((word) => [word, count] as const)));
  return read;
}

const VOWELS = /[aeiouy]+/g;
const SILENT_E = /[^aeiouy]e$/;
const SILENT_ENDING = /[^aeiouy](?:es|ed)$/;
const SPOKEN_ENDING = /(?:[^aeiouy]les?|ses|zes|xes|ches|shes|ges|ces|ted|ded)$/;
const HISSING = /(?:[sxz]|[cs]h|[cgsz]e)$/;

/**
 * Syllables of a word in lower case by English spelling: groups of vowels, less one for an e that is silent at its end or
 * in -es and -ed. What is behind an apostrophe (it's, we'll) has none of its own unless there is a vowel in it, or it
 * makes a hiss after a hiss (Max's).
 */
export function syllablesBySpelling(word: string): number {
  const [first = '', ...endings] = word.split("'");
  const groups = first.match(VOWELS)?.length ?? 0;
  const silent = (SILENT_E.test(first) || SILENT_ENDING.test(first)) && !SPOKEN_ENDING.test(first);
  const more = endings.map((ending) =>
    ending === 's' && HISSING.test(first) ? 1 : (ending.match(VOWELS)?.length ?? 0),
  );
  return more.reduce((sum, one) => sum + one, Math.max(1, groups - (silent ? 1 : 0)));
}
