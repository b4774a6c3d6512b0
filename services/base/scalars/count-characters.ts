import { withoutMarks } from './without-marks.ts';

export const CHARACTER_KINDS = ['total', 'vowels', 'consonants'] as const;
export type CharacterKind = (typeof CHARACTER_KINDS)[number];

/** Characters (code points) of a text, or its vowels (aeiou) or consonants, which are all other letters. */
export function countCharacters(text: string, kind: CharacterKind): number {
  if (kind === 'total') return [...text].length;
  const plain = withoutMarks(text);
  const vowels = plain.match(/[aeiou]/gi)?.length ?? 0;
  return kind === 'vowels' ? vowels : (plain.match(/\p{L}/gu)?.length ?? 0) - vowels;
}
