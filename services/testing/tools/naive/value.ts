/** A value as SQLite stores it: integer, real, text, NULL. */
export type Value = bigint | number | string | null;

/** What the description of the tools leaves open, or depends on more than it says: nothing to be compared. */
export class Unspecified extends Error {}

/** What a column does to what it is compared with. `expression`: computed, so nothing, but see `affinitiesOf`. */
export type Affinity = 'numeric' | 'real' | 'text' | 'none' | 'expression';

/** A value with what comparing it depends on. */
export interface Typed {
  readonly value: Value;
  readonly affinity: Affinity;
  /** Of a column, whether case matters; null for what is computed. */
  readonly nocase: boolean | null;
}

export const typed = (
  value: Value,
  affinity: Affinity = 'expression',
  nocase: boolean | null = null,
): Typed => ({
  value,
  affinity,
  nocase,
});

/** Beyond these, SQLite's integers and JavaScript's reals would have to be told apart. */
export function checked(value: Value): Value {
  if (typeof value === 'bigint' && (value > 1n << 53n || value < -(1n << 53n)))
    throw new Unspecified('large integer');
  if (typeof value === 'number' && !(Math.abs(value) < 1e15)) throw new Unspecified('large real');
  return value;
}

const isNumber = (value: Value): value is bigint | number =>
  typeof value === 'bigint' || typeof value === 'number';

/** Sorts NULL before numbers before text. */
export function order(a: Value, b: Value, nocase: boolean): number {
  const rank = (value: Value) => (value === null ? 0 : isNumber(value) ? 1 : 2);
  if (rank(a) !== rank(b)) return rank(a) - rank(b);
  if (a === null || b === null) return 0;
  const [x, y] = nocase && typeof a === 'string' && typeof b === 'string' ? [fold(a), fold(b)] : [a, b];
  return x < y ? -1 : x > y ? 1 : 0;
}

/** Lower case, of ASCII letters only. */
export const fold = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
export const unfold = (text: string): string => text.replace(/[a-z]/g, (letter) => letter.toUpperCase());

export function textOf(value: Value): string | null {
  if (typeof value !== 'number') return value === null ? null : String(value);
  if (Number.isInteger(value)) return `${value}.0`;
  const text = String(value);
  if (text.includes('e') || text.length > 15) throw new Unspecified('how many digits of a real are shown');
  return text;
}

/** Arithmetic takes the number that a text begins with, or 0. */
export function numberOf(value: Value): bigint | number | null {
  if (value === null || isNumber(value)) return value;
  const found = /^\s*[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?/.exec(value)?.[0];
  return found === undefined ? 0n : read(found);
}

/** What bits are taken from: the whole number, a text's by its digits. */
export function wholeOf(value: Value): bigint | null {
  const number =
    typeof value === 'string' ? BigInt(/^\s*([+-]?\d+)/.exec(value)?.[1]?.replace('+', '') ?? '0') : value;
  return typeof number === 'number' ? BigInt(Math.trunc(number)) : number;
}

/** The number that a whole text is, else the text. */
export function asNumeric(value: Value): Value {
  if (typeof value !== 'string') return value;
  return /^\s*[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?\s*$/.test(value) ? read(value) : value;
}

function read(text: string): bigint | number {
  const clean = text.trim();
  return /^[+-]?\d+$/.test(clean) ? BigInt(clean.replace('+', '')) : Number(clean);
}

/** True, false, or unknown. */
export type Truth = boolean | null;

export function truthOf(value: Value): Truth {
  const number = numberOf(value);
  return number === null ? null : Number(number) !== 0;
}

/** How two values compare, or null when one is NULL: affinities first, then order. */
export function compare(a: Typed, b: Typed): number | null {
  if (a.value === null || b.value === null) return null;
  const nocase = collation(a, b);
  const found = new Set<number>();
  for (const x of affinitiesOf(a)) {
    for (const y of affinitiesOf(b))
      found.add(Math.sign(order(convert(a.value, x, y), convert(b.value, y, x), nocase)));
  }
  if (found.size > 1) throw new Unspecified('depends on where a computed value is kept');
  return [...found][0] as number;
}

/** A computed value may or may not pass through a column without a type: rarely that decides. */
function affinitiesOf({ affinity }: Typed): Affinity[] {
  return affinity === 'expression' ? ['expression', 'none'] : [affinity];
}

/** What comparing makes of a value, given its own affinity and that of the other side. */
export function convert(value: Value, own: Affinity, other: Affinity): Value {
  const numeric = (affinity: Affinity) => affinity === 'numeric' || affinity === 'real';
  if (numeric(other) && !numeric(own)) return asNumeric(value);
  if (other === 'text' && own === 'expression') return textOf(value);
  // A column of numbers compared with text keeps its numbers; what it cannot read as one it holds as text.
  return value;
}

/** That of the left column, else that of the right one. */
function collation(a: Typed, b: Typed): boolean {
  if (a.nocase !== null) return a.nocase;
  if (b.nocase === true) throw new Unspecified('a computed value beside a column without case');
  return false;
}
