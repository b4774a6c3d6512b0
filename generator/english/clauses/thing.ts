import { listed } from '../words/word-lists.ts';
import type { Thing } from './clause.ts';

/** Several things of which each row combines one of each; null for fewer than two. */
export function combinationOf(things: readonly Thing[]): Thing | null {
  if (things.length < 2) return null;
  const [one, many] = things.length === 2 ? ['pair', 'pairs'] : ['combination', 'combinations'];
  const different = things.filter(
    (thing, i) => things.findIndex((other) => other.one.join() === thing.one.join()) === i,
  );
  const words = different.flatMap((thing) => thing.one);
  const text = listed(different.map((thing) => (different.length === 1 ? thing.many : thing.one).join(' ')));
  return {
    one: [...words, one],
    many: [...words, many],
    text: { one: `${one} of ${text}`, many: `${many} of ${text}` },
  };
}

export function sameThing(a: Thing | null, b: Thing | null): boolean {
  return a !== null && b !== null && a.one.join(' ') === b.one.join(' ');
}

/** What rows are called in a sentence. */
export function manyOf({ many, text }: Thing): string {
  return text?.many ?? many.join(' ');
}

/** What one of the rows is called in a sentence. */
export function oneOf({ one, many, text }: Thing): string {
  return (
    text?.one ??
    (many.at(-1) === 'records' && one.at(-1) !== 'record' ? `${one.join(' ')} record` : one.join(' '))
  );
}
