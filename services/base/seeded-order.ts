import { createHmac, hash } from 'node:crypto';

/** A number from 0 up to 1 that depends on nothing but the seed and the key. */
export function seededNumber(seed: number | string, ...key: readonly (string | number)[]): number {
  return Buffer.from(digest(seed, key), 'binary').readUIntBE(0, 6) / 2 ** 48;
}

/**
 * Items in an order that depends on nothing but the seed, the scope, each item's own name and, if there is one, a key:
 * whoever does not hold the key cannot tell the order from the seed.
 */
export function seededOrder<T>(
  items: readonly T[],
  seed: number,
  scope: string,
  nameOf: (item: T) => string,
  key: string | null = null,
): T[] {
  return items
    .map((item) => ({ item, rank: digest(seed, [scope, nameOf(item)], key) }))
    .sort((a, b) => (a.rank < b.rank ? -1 : Number(a.rank > b.rank)))
    .map(({ item }) => item);
}

/** A character a byte: of a hundred thousand names, strings take a third of the time and half the memory of buffers. */
function digest(
  seed: number | string,
  name: readonly (string | number)[],
  key: string | null = null,
): string {
  const text = JSON.stringify([seed, ...name]);
  return key === null
    ? hash('sha256', text, 'binary')
    : createHmac('sha256', key).update(text).digest('binary');
}
