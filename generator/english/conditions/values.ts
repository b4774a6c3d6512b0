import type { Term } from '../clauses/clause.ts';
import { type NounPhrase, singularText, theText } from '../noun-phrase.ts';
import type { Realizer } from '../realizer.ts';
import { listed } from '../words/word-lists.ts';
import type { Of } from './comparisons.ts';

/** A value that something is compared with. */
export function valueText(
  to: Term,
  about: NounPhrase,
  r: Realizer,
  what?: 'text' | 'value' | 'pattern',
): string {
  if (to.kind === 'query') return theText(singularText(r.noun(to)));
  if (to.kind !== 'given') {
    const np = r.noun(to);
    return np.head.length > 0 && r.style !== 'description' ? `the ${singularText(np)}` : singularText(np);
  }
  const kind = what ?? (about.scale === 'date' ? 'date' : about.scale === 'count' ? 'number' : 'value');
  return r.given(to, { ...about, tail: kind, counted: singularText(about) }, 'value');
}

export function valuesText({ of, values }: Of<'among'>, r: Realizer): string {
  const about = r.noun(of);
  const [only, ...others] = values;
  if (r.style === 'summary' && values.every(({ kind }) => kind === 'given')) {
    if (others.length > 0) return `${NUMBERS[values.length] ?? 'several'} given values`;
    if (only?.kind === 'given' && only.choice.array) return 'the given values';
  }
  return listed(
    values.map((value) => valueText(value, about, r)),
    'or',
  );
}

export const NUMBERS = ['no', 'one', 'two', 'three', 'four', 'five', 'six'];
