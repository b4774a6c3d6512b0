/** A seeded source of choices: the same seed and the same calls always give the same values. */
export interface Random {
  /** A number in [0, 1). */
  next(): number;
  /** A whole number from `min` to `max`, both included. */
  int(min: number, max: number): number;
  /** True with the given probability. */
  chance(probability: number): boolean;
  /** One item, each equally likely. */
  pick<T>(items: readonly T[]): T;
  /** One item, the first ones much likelier than the last (a few customers bring most of the orders). */
  pickSkewed<T>(items: readonly T[]): T;
  /** One key of a table of weights. */
  weighted<K extends string>(weights: Readonly<Record<K, number>>): K;
  /** A bell-shaped number around `mean`, never further away than `spread`, rounded to `digits` decimals. */
  near(mean: number, spread: number, digits?: number): number;
}

/** Makes a source of choices from a seed text, such as `domain/table`. */
export function createRandom(seed: string): Random {
  const next = mulberry32(fnv1a(seed));
  const at = <T>(items: readonly T[], index: number): T => {
    const item = items[Math.min(index, items.length - 1)];
    if (item === undefined) throw new Error(`${seed}: nothing to pick from`);
    return item;
  };
  return {
    next,
    int: (min, max) => min + Math.floor(next() * (max - min + 1)),
    chance: (probability) => next() < probability,
    pick: (items) => at(items, Math.floor(next() * items.length)),
    pickSkewed: (items) => at(items, Math.floor(next() * next() * items.length)),
    weighted: <K extends string>(weights: Readonly<Record<K, number>>) => {
      const keys = Object.keys(weights) as K[];
      let left = next() * keys.reduce((sum, key) => sum + weights[key], 0);
      return at(
        keys,
        Math.max(
          0,
          keys.findIndex((key) => {
            left -= weights[key];
            return left < 0;
          }),
        ),
      );
    },
    near: (mean, spread, digits = 0) => {
      const bell = (next() + next() + next()) / 1.5 - 1;
      return round(mean + bell * spread, digits);
    },
  };
}

/** Rounds to a number of decimals. */
export function round(value: number, digits: number): number {
  const scale = 10 ** digits;
  return Math.round(value * scale) / scale;
}

function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
