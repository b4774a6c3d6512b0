import { createHash } from 'node:crypto';

/** A number from 0 up to 1 that depends on nothing but the seed and the key. */
export function seededNumber(seed: number, ...key: readonly (string | number)[]): number {
  return digest(seed, key).readUIntBE(0, 6) / 2 ** 48;
}

/** Items in an order that depends on nothing but the seed, the scope and each item's own name. */
export function seededOrder<T>(
  items: readonly T[],
  seed: number,
  scope: string,
  nameOf: (item: T) => string,
): T[] {
  return items
    .map((item) => ({ item, rank: digest(seed, [scope, nameOf(item)]) }))
    .sort((a, b) => Buffer.compare(a.rank, b.rank))
    .map(({ item }) => item);
}

function digest(seed: number, key: readonly (string | number)[]): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([seed, ...key]))
    .digest();
}
