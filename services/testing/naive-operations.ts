import {
  asNumeric,
  checked,
  compare,
  fold,
  numberOf,
  order,
  type Truth,
  type Typed,
  textOf,
  truthOf,
  typed,
  Unspecified,
  unfold,
  type Value,
  wholeOf,
} from './naive-table.ts';

export interface Given {
  readonly operand: (name: string) => Typed;
  readonly optional: (name: string) => Typed | null;
  readonly option: (name: string) => unknown;
  readonly test: (value: Typed) => Truth;
}

type Operation = (value: Typed, given: Given) => Value | Typed;

const real = (value: Value): number | null => {
  const number = numberOf(value);
  return number === null ? null : Number(number);
};
const bit = (truth: Truth): Value => (truth === null ? null : truth ? 1n : 0n);

/** The result is an integer unless one side is real. */
const arithmetic =
  (whole: (a: bigint, b: bigint) => bigint | null, broken: (a: number, b: number) => number | null) =>
  (left: Value, right: Value): Value => {
    const [a, b] = [numberOf(left), numberOf(right)];
    if (a === null || b === null) return null;
    if (typeof a === 'bigint' && typeof b === 'bigint') return checked(whole(a, b));
    return checked(broken(Number(a), Number(b)));
  };

const binary =
  (compute: (left: Value, right: Value) => Value): Operation =>
  (value, given) => {
    const other = given.operand('operand').value;
    return given.option('reverse') === true ? compute(other, value.value) : compute(value.value, other);
  };

const text =
  (compute: (text: string) => Value): Operation =>
  ({ value }) => {
    const own = textOf(value);
    return own === null ? null : compute(own);
  };

/** Numbers, and entirely numeric texts; null for everything else. */
const wholeNumber = ({ value }: Typed): bigint | number | null => {
  const number = asNumeric(value);
  return typeof number === 'string' ? null : number;
};

const STORED: Readonly<Record<string, string>> = {
  bigint: 'integer',
  number: 'real',
  string: 'text',
  null: 'null',
};

const trim =
  (start: boolean, end: boolean): Operation =>
  ({ value }, given) => {
    const own = textOf(value);
    const characters = given.optional('characters');
    const some = characters ? textOf(characters.value) : ' ';
    if (own === null || some === null) return null;
    let [from, to] = [0, own.length];
    while (start && from < to && some.includes(own[from] as string)) from++;
    while (end && to > from && some.includes(own[to - 1] as string)) to--;
    return own.slice(from, to);
  };

const whole = (value: Value): number | null => {
  const number = numberOf(value);
  return number === null ? null : Math.trunc(Number(number));
};

const TYPES: Readonly<Record<string, (value: Value) => Typed>> = {
  integer: (value) => {
    const number =
      typeof value === 'string'
        ? BigInt(/^\s*[+-]?\d+/.exec(value)?.[0].trim().replace('+', '') ?? '0')
        : value;
    return typed(typeof number === 'number' ? BigInt(Math.trunc(number)) : number, 'numeric');
  },
  real: (value) => typed(real(value), 'real'),
  text: (value) => typed(textOf(value), 'text'),
  numeric: (value) => typed(typeof value === 'string' ? integral(numberOf(value)) : value, 'numeric'),
};

/** A text such as 1.0 counts as the integer. */
const integral = (value: bigint | number | null): Value =>
  typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : value;

/** The result of each row operation, according to its description. */
export const NAIVE_OPERATIONS: Readonly<Record<string, Operation>> = {
  absolute_value: ({ value }) => {
    if (typeof value === 'string') return Math.abs(real(value) as number);
    const number = numberOf(value);
    return number === null ? null : number < 0 ? -number : number;
  },
  add: binary(
    arithmetic(
      (a, b) => a + b,
      (a, b) => a + b,
    ),
  ),
  subtract: binary(
    arithmetic(
      (a, b) => a - b,
      (a, b) => a - b,
    ),
  ),
  multiply: binary(
    arithmetic(
      (a, b) => a * b,
      (a, b) => a * b,
    ),
  ),
  divide: binary(
    arithmetic(
      (a, b) => (b === 0n ? null : a / b),
      (a, b) => (b === 0 ? null : a / b),
    ),
  ),
  modulo: binary(
    arithmetic(
      (a, b) => (b === 0n ? null : a % b),
      (a, b) => (Math.trunc(b) === 0 ? null : (Math.trunc(a) % Math.trunc(b)) + 0),
    ),
  ),
  bitwise: ({ value }, given) => {
    const operand = given.operand('operand').value;
    const [a, b] = (given.option('reverse') === true ? [operand, value] : [value, operand]).map(wholeOf);
    if (a == null || b == null) return null;
    const operator = String(given.option('operator'));
    if (operator === 'and') return a & b;
    if (operator === 'or') return a | b;
    if (b < 0n || b > 20n)
      throw new Unspecified('a shift by more places than there are, or by fewer than none');
    return checked(operator === 'shift_left' ? a << b : a >> b);
  },
  hexadecimal: ({ value }) =>
    Buffer.from(textOf(value) ?? '')
      .toString('hex')
      .toUpperCase(),
  stored_type: ({ value }) => STORED[value === null ? 'null' : typeof value] as string,
  round: ({ value }, given) => {
    const number = real(value);
    const digits = given.optional('digits');
    const places = digits ? whole(digits.value) : 0;
    if (number === null || places === null) return null;
    const factor = 10 ** Math.max(0, places);
    const scaled = Math.abs(number) * factor;
    // Inexact halves may round either way.
    if (places > 0 && Math.abs((scaled % 1) - 0.5) < 1e-6) throw new Unspecified('half a digit');
    return checked((Math.sign(number) * Math.round(scaled)) / factor + 0);
  },
  floor: (value) => {
    const number = wholeNumber(value);
    return typeof number === 'number' ? Math.floor(number) + 0 : number;
  },
  ceiling: (value) => {
    const number = wholeNumber(value);
    return typeof number === 'number' ? Math.ceil(number) + 0 : number;
  },
  square_root: (value) => {
    const number = wholeNumber(value);
    return number === null || number < 0 ? null : Math.sqrt(Number(number));
  },
  smaller: (value, given) => extreme(value, given.operand('operand'), -1),
  larger: (value, given) => extreme(value, given.operand('operand'), 1),
  cast: ({ value, nocase }, given) => {
    const read = TYPES[String(given.option('type'))];
    if (!read) throw new Unspecified('a type');
    return { ...read(value), nocase };
  },
  upper: text(unfold),
  lower: text(fold),
  length: text((own) => BigInt(own.length)),
  trim: trim(true, true),
  trim_start: trim(true, false),
  trim_end: trim(false, true),
  replace: ({ value }, given) => {
    const [own, from, to] = [value, given.operand('from').value, given.operand('to').value].map(textOf);
    if (own == null || from == null || to == null) return null;
    return from === '' ? own : own.replaceAll(from, () => to);
  },
  position: ({ value }, given) => {
    const [own, some] = [textOf(value), textOf(given.operand('text').value)];
    return own === null || some === null ? null : BigInt(own.indexOf(some) + 1);
  },
  concatenate: binary((left, right) => {
    const [a, b] = [textOf(left), textOf(right)];
    return a === null || b === null ? null : a + b;
  }),
  substring: ({ value }, given) => {
    const own = textOf(value);
    const start = whole(given.operand('start_index').value);
    const [end, length] = [given.optional('end_index'), given.optional('length')];
    if (own === null || start === null) return null;
    if (start < -own.length && (end || length)) throw new Unspecified('a part from before the start');
    const first = start < 0 ? Math.max(0, own.length + start) : start;
    if (!end && !length) return own.slice(first);
    const last = whole((length ?? end)?.value ?? null);
    if (last === null) return null;
    if (last < 0) throw new Unspecified('counted backwards');
    return own.slice(first, length ? first + last : Math.max(first, last));
  },
  datetime_part: ({ value }, given) => {
    if (value === null) return null;
    if (typeof value !== 'string' || typeof asNumeric(value) !== 'string')
      throw new Unspecified('a number as a date');
    const date = /^(\d{4})-(\d{2})-(\d{2})$/.exec(value);
    if (!date) return null;
    return String(given.option('datetime_pattern'))
      .replaceAll('%Y', date[1] as string)
      .replaceAll('%m', date[2] as string)
      .replaceAll('%d', date[3] as string);
  },
  choose: (value, given) => given.operand(given.test(value) === true ? 'if_true' : 'if_false').value,
  compare: (value, given) => bit(given.test(value)),
  and: ({ value }, given) => {
    const [a, b] = [truthOf(value), truthOf(given.operand('operand').value)];
    return bit(a === false || b === false ? false : a === null || b === null ? null : true);
  },
  or: ({ value }, given) => {
    const [a, b] = [truthOf(value), truthOf(given.operand('operand').value)];
    return bit(a === true || b === true ? true : a === null || b === null ? null : false);
  },
  coalesce: ({ value }, given) => value ?? given.operand('operand').value,
  null_if: (value, given) => {
    const other = given.operand('operand');
    const bare = (side: Typed): Typed => ({ ...side, affinity: 'none' });
    return compare(bare(value), bare(other)) === 0 ? null : value.value;
  },
  constant: (_value, given) => given.operand('value'),
};

/** By storage order, without conversion; NULL if either is NULL. */
function extreme(a: Typed, b: Typed, sign: number): Value {
  if (a.value === null || b.value === null) return null;
  if (a.nocase || b.nocase) throw new Unspecified('the smaller of two spellings');
  const found = order(a.value, b.value, false);
  if (found === 0 && a.value !== b.value) throw new Unspecified('1 or 1.0');
  return found * sign >= 0 ? a.value : b.value;
}

const not = (truth: Truth): Truth => (truth === null ? null : !truth);
const and = (a: Truth, b: Truth): Truth =>
  a === false || b === false ? false : a === null || b === null ? null : true;
const or = (a: Truth, b: Truth): Truth => not(and(not(a), not(b)));

/** Tests two texts; null if either is NULL. */
const texts = (a: Typed, b: Typed | undefined, test: (a: string, b: string) => boolean): Truth => {
  const [x, y] = [textOf(a.value), textOf(b?.value ?? null)];
  return x === null || y === null ? null : test(x, y);
};

const compared = (a: Typed, b: Typed | undefined, test: (sign: number) => boolean): Truth => {
  const sign = b ? compare(a, b) : null;
  return sign === null ? null : test(sign);
};

/** Tests two integers; texts and reals are truncated. */
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

/** Whether each condition holds for a value, according to its description. */
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
