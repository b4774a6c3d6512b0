const ORDINALS = 'first second third fourth fifth sixth seventh eighth ninth tenth'.split(' ');

/** The place after as many rows as are skipped: second; null when it is far down. */
export function ordinalAfter(skipped: number | null): string | null {
  return (skipped === null ? undefined : ORDINALS[skipped]) ?? null;
}
