import type { Random } from '../../variants/random.ts';

/** Draws what was used least, more often: so every operator and metric has its turn. */
export class Balance {
  readonly #used = new Map<string, number>();
  /** In vain, since the last that was used. */
  readonly #failed = new Map<string, number>();
  readonly #random: Random;
  #drawn: string[] = [];

  constructor(random: Random) {
    this.#random = random;
  }

  /** One of the items; undefined when there are none. `keyOf` tells what is counted. */
  pick<T>(items: readonly T[], keyOf: (item: T) => string): T | undefined {
    const weights = items.map((item) => {
      const key = keyOf(item);
      return 1 / (1 + (this.#used.get(key) ?? 0)) ** 3 / (1 + (this.#failed.get(key) ?? 0)) ** 3;
    });
    let left = this.#random.next() * weights.reduce((sum, weight) => sum + weight, 0);
    const at = weights.findIndex((weight) => {
      left -= weight;
      return left < 0;
    });
    const item = items[at < 0 ? items.length - 1 : at];
    if (item !== undefined) this.#drawn.push(keyOf(item));
    return item;
  }

  /** All that was picked since the last time led to a question, or did not. */
  settle(kept: boolean): void {
    const counts = kept ? this.#used : this.#failed;
    for (const key of this.#drawn) counts.set(key, (counts.get(key) ?? 0) + 1);
    if (kept) this.#failed.clear();
    this.#drawn = [];
  }

  /** Failures count no longer: something else is asked now. */
  forgive(): void {
    this.#failed.clear();
  }
}
