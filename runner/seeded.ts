import { createHash } from 'node:crypto';

/** A random generator seeded by a number and a text, so that independent draws do not affect each other. */
export class Seeded {
  #state: number;

  constructor(seed: number, scope: string) {
    this.#state = createHash('sha256').update(`${seed} ${scope}`).digest().readUInt32LE(0);
  }

  /** 0 ≤ result < n. (mulberry32) */
  integer(n: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 4294967296) * n);
  }

  /** A random element; undefined for an empty list. */
  pick<T>(items: readonly T[]): T | undefined {
    return items[this.integer(items.length)];
  }

  shuffle<T>(items: readonly T[]): T[] {
    const out = [...items];
    for (let i = out.length - 1; i > 0; i--) {
      const j = this.integer(i + 1);
      const [a, b] = [out[i], out[j]];
      if (a !== undefined && b !== undefined) [out[i], out[j]] = [b, a];
    }
    return out;
  }
}
