import { createHash } from 'node:crypto';
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import type { RandomGenerator } from 'pure-rand/types/RandomGenerator';

/** A seeded generator with the same output on any machine. */
export class Random {
  readonly #generator: RandomGenerator;

  constructor(seed: string) {
    this.#generator = xoroshiro128plus(createHash('sha256').update(seed).digest().readInt32LE());
  }

  /** A number in [0, 1). */
  next(): number {
    return uniformFloat64(this.#generator);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** A whole number from 0 to `below` - 1. */
  below(below: number): number {
    return uniformInt(this.#generator, 0, below - 1);
  }

  /** Undefined for an empty list. */
  pick<T>(items: readonly T[]): T | undefined {
    return items.length === 0 ? undefined : items[this.below(items.length)];
  }

  /** Up to `count` items, in their order. */
  sample<T>(items: readonly T[], count: number): T[] {
    if (items.length <= count) return [...items];
    const chosen = new Set<number>();
    while (chosen.size < count) chosen.add(this.below(items.length));
    return items.filter((_, i) => chosen.has(i));
  }
}
