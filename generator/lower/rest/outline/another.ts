import type { Phrase } from './phrase.ts';

/** The second of two that would be said with the same words: with another given year, another height. */
export function anotherText({ text, scale, simple }: Phrase, first: Phrase): string {
  if (text !== first.text) return text;
  if (/\ba given\b/.test(text)) return text.replace(/\ba given\b/g, 'another given');
  // Two counts of the same rows are the same.
  return scale === 'count' && simple ? text : `another ${text}`;
}
