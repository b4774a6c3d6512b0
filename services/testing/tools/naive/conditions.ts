import { compare, fold, type Truth, type Typed, textOf, wholeOf } from './value.ts';

const not = (truth: Truth): Truth => (truth === null ? null : !truth);
const and = (a: Truth, b: Truth): Truth =>
  a === false || b === false ? false : a === null || b === null ? null : true;
const or = (a: Truth, b: Truth): Truth => not(and(not(a), not(b)));

/** Two texts, or null when one is NULL. */
const texts = (a: Typed, b: Typed | undefined, test: (a: string, b: string) => boolean): Truth => {
  const [x, y] = [textOf(a.value), textOf(b?.value ?? null)];
  return x === null || y === null ? null : test(x, y);
};

const compared = (a: Typed, b: Typed | undefined, test: (sign: number) => boolean): Truth => {
  const sign = b ? compare(a, b) : null;
  return sign === null ? null : test(sign);
};

/** Two whole numbers, of which texts and reals leave the part before the point. */
const bits = (a: Typed, b: Typed | undefined, test: (a: bigint, b: bigint) => boolean): Truth => {
  const [x, y] = [wholeOf(a.value), wholeOf(b?.value ?? null)];
  return x === null || y === null ? null : test(x, y);
};

const like = (text: string, pattern: string): boolean =>
  new RegExp(`^${quoted(fold(pattern)).replaceAll('%', '[^]*').replaceAll('_', '[^]')}$`).test(fold(text));
const glob = (text: string, pattern: string): boolean =>
  new RegExp(
    `^${quoted(pattern).replaceAll('\\*', '[^]*').replaceAll('\\?', '[^]').replaceAll('\\[', '[').replaceAll('\\]', ']')}$`,
  ).test(text);
const quoted = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

const between = (a: Typed, low: Typed | undefined, high: Typed | undefined): Truth =>
  and(
    compared(a, low, (sign) => sign >= 0),
    compared(a, high, (sign) => sign <= 0),
  );
const within = (a: Typed, list: readonly Typed[]): Truth =>
  list.reduce<Truth>(
    (found, item) =>
      or(
        found,
        compared(a, item, (sign) => sign === 0),
      ),
    false,
  );

/** Whether a condition is true of a value; from the descriptions of the conditions. */
export const NAIVE_CONDITIONS: Readonly<Record<string, (a: Typed, values: readonly Typed[]) => Truth>> = {
  equal_to: (a, [b]) => compared(a, b, (sign) => sign === 0),
  not_equal_to: (a, [b]) => compared(a, b, (sign) => sign !== 0),
  greater_than: (a, [b]) => compared(a, b, (sign) => sign > 0),
  less_than: (a, [b]) => compared(a, b, (sign) => sign < 0),
  greater_than_equal_to: (a, [b]) => compared(a, b, (sign) => sign >= 0),
  less_than_equal_to: (a, [b]) => compared(a, b, (sign) => sign <= 0),
  contains: (a, [b]) => texts(a, b, (x, y) => x.includes(y)),
  like: (a, [b]) => texts(a, b, like),
  not_like: (a, [b]) => not(texts(a, b, like)),
  starts_with: (a, [b]) => texts(a, b, (x, y) => x.startsWith(y)),
  ends_with: (a, [b]) => texts(a, b, (x, y) => x.endsWith(y)),
  glob: (a, [b]) => texts(a, b, glob),
  not_glob: (a, [b]) => not(texts(a, b, glob)),
  between: (a, [low, high]) => between(a, low, high),
  not_between: (a, [low, high]) => not(between(a, low, high)),
  in: within,
  not_in: (a, list) => not(within(a, list)),
  has_bits: (a, [b]) => bits(a, b, (x, y) => (x & y) === y),
  lacks_bits: (a, [b]) => bits(a, b, (x, y) => (x & y) === 0n),
  is_null: (a) => a.value === null,
  is_not_null: (a) => a.value !== null,
};
