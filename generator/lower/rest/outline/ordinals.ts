import type { Literal } from '../../../sql/index.ts';

const WORDS = (
  'no one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen ' +
  'seventeen eighteen nineteen twenty'
).split(' ');

/** A fixed number of rows in words; `few` when it is large or computed. */
export function limitWords(limit: number | null): string {
  return (limit === null ? undefined : WORDS[limit]) ?? 'few';
}

const ORDINALS = 'first second third fourth fifth sixth seventh eighth ninth tenth'.split(' ');

/** The place after as many rows as are skipped: second; null when it is far down. */
export function ordinalAfter(skipped: number | null): string | null {
  return (skipped === null ? undefined : ORDINALS[skipped]) ?? null;
}

/** A small number in words: zero, one, twenty; null for anything else. */
export function numberWord({ type, value }: Literal): string | null {
  if (type !== 'integer') return null;
  return value === 0n ? 'zero' : (WORDS[Number(value)] ?? null);
}
