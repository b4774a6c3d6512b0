import { createHash, createHmac } from 'node:crypto';

/** A number from 0 up to 1 that depends on nothing but the seed and the key. */
export function seededNumber(seed: number | string, ...key: readonly (string | number)[]): number {
  return digest(seed, key).readUIntBE(0, 6) / 2 ** 48;
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
    .sort((a, b) => Buffer.compare(a.rank, b.rank))
    .map(({ item }) => item);
}

function digest(
  seed: number | string,
  name: readonly (string | number)[],
  key: string | null = null,
): Buffer {
  const hash = key === null ? createHash('sha256') : createHmac('sha256', key);
  return hash.update(JSON.stringify([seed, ...name])).digest();
}
