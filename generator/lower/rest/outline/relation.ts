import type { CompareOp } from '../../../sql/index.ts';
import type { Wording } from './condition-text.ts';
import type { Phrase } from './phrase.ts';

/** Signs with the names of parameters, words without. */
export const RELATIONS: Readonly<Record<CompareOp, readonly [sign: string, words: string, dated: string]>> = {
  '=': ['=', 'is', 'is'],
  is: ['=', 'is', 'is'],
  '!=': ['!=', 'is not', 'is not'],
  is_not: ['!=', 'is not', 'is not'],
  '>': ['>', 'is above', 'is after'],
  '>=': ['>=', 'is at least', 'is on or after'],
  '<': ['<', 'is below', 'is before'],
  '<=': ['<=', 'is at most', 'is on or before'],
};

/** How one value stands to another: >, is above, is after. */
export function relation(op: CompareOp, of: Phrase, { nameOf }: Wording): string {
  const [sign, words, dated] = RELATIONS[op];
  return nameOf === null ? (of.scale === 'date' ? dated : words) : sign;
}
