import { type Expr, exprsWithin } from '../../../sql/index.ts';
import type { Choice } from '../choices/choice.ts';
import { choicesIn } from '../choices/choices-in.ts';
import { bare } from './patterns.ts';
import type { Phrase } from './phrase.ts';
import type { Saying } from './phrase-of.ts';

/** An expression and how it is said. */
export type Said = readonly [expr: Expr, phrase: Phrase];

/** The second of two that would be said with the same words: with another given year, another height. */
export function anotherText([expr, { text, scale, simple }]: Said, first: Said, saying: Saying): string {
  if (text !== first[1].text) return text;
  if (/\ba given\b/.test(text)) return withOthers(text, chosenIn(expr, saying), chosenIn(first[0], saying));
  // Two counts of the same rows are the same.
  const same = scale === 'count' && simple && bare(expr).kind === 'aggregate';
  return same ? text : `another ${text}`;
}

/** `a given` in the order of the choices that it stands for: another one, or the same again. */
function withOthers(text: string, own: readonly Choice[], first: readonly Choice[]): string {
  const same = own.map((choice, i) => choice === first[i]);
  const places = text.match(/\ba given\b/g)?.length ?? 0;
  if (!same.includes(true)) return text.replace(/\ba given\b/g, 'another given');
  if (places !== own.length) return text;
  let at = 0;
  return text.replace(/\ba given\b/g, () => (same[at++] ? 'the same given' : 'another given'));
}

function chosenIn(expr: Expr, { choiceOf }: Saying): readonly Choice[] {
  return choiceOf === undefined ? [] : [...new Set(choicesIn(exprsWithin(expr), choiceOf))];
}
