import { createHash } from 'node:crypto';
import { pluralValue } from './plural.ts';

const MAX_CHARACTERS = 64;
const HEX_DIGITS = 8;

/**
 * The SEL tools that read columns, by key: `get_<table>_<columns>`, with the last word in the plural. A name that would be
 * too long for a tool, or that a column of this name itself has (`label` beside `labels`), has a hash of the key instead of
 * its end.
 */
export function getterNames(keys: Iterable<string>): ReadonlyMap<string, string> {
  const all = new Set(keys);
  return new Map(
    [...all].map((key) => {
      const many = manyOf(key);
      return [key, many !== key && all.has(many) ? hashed(key) : shortened(key, many)];
    }),
  );
}

/** The column that a getter reads, out of those there are; undefined for none. */
export function getterKey(name: string, keys: readonly string[]): string | undefined {
  for (const [key, own] of getterNames(keys)) if (own === name) return key;
  // A table that has lost a column keeps the names of the others.
  return keys.find((key) => hashed(key) === name);
}

function manyOf(key: string): string {
  return key.replace(/[^_]+$/, pluralValue);
}

function shortened(key: string, many: string): string {
  const name = `get_${many}`;
  return name.length <= MAX_CHARACTERS ? name : hashed(key);
}

function hashed(key: string): string {
  const digits = createHash('sha256').update(key).digest('hex').slice(0, HEX_DIGITS);
  return `${`get_${key}`.slice(0, MAX_CHARACTERS - HEX_DIGITS - 1)}_${digits}`;
}
