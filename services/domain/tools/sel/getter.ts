import { createHash } from 'node:crypto';

const MAX_CHARACTERS = 64;
const HEX_DIGITS = 8;

/** The SEL tool that reads a column: `get_<table>_<column>s`, shortened with a hash where a tool name may not be longer. */
export function getterName(key: string): string {
  const name = `get_${key}s`;
  if (name.length <= MAX_CHARACTERS) return name;
  const digits = createHash('sha256').update(key).digest('hex').slice(0, HEX_DIGITS);
  return `${name.slice(0, MAX_CHARACTERS - HEX_DIGITS - 1)}_${digits}`;
}

/** The column that a getter reads, out of those there are. */
export function getterKey(name: string, keys: readonly string[]): string | undefined {
  return keys.find((key) => getterName(key) === name);
}
