const WORDS = 'no one two three four five six seven eight nine ten'.split(' ');

/** A fixed number of rows in words; `few` when it is large or computed. */
export function limitWords(limit: number | null): string {
  return (limit === null ? undefined : WORDS[limit]) ?? 'few';
}

const ORDINALS = 'first second third fourth fifth sixth seventh eighth ninth tenth'.split(' ');

/** The place after as many rows as are skipped: second; null when it is far down. */
export function ordinalAfter(skipped: number | null): string | null {
  return (skipped === null ? undefined : ORDINALS[skipped]) ?? null;
}
