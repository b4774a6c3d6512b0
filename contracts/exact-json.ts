import { isLosslessNumber, parse, stringify } from 'lossless-json';

/**
 * Parses JSON like JSON.parse, except that a 64-bit integer that does not fit a double becomes a bigint.
 * Larger integers are reals in SQLite, so they become numbers here. Throws SyntaxError.
 */
export function parseExactJson(text: string): unknown {
  if (!MAY_BE_LONG_INTEGER.test(text)) return JSON.parse(text);
  // The parser recurses where JSON.parse does not: deeply nested input must not look like an internal error.
  try {
    return parse(text, null, { parseNumber: exactNumber, onDuplicateKey: ({ newValue }) => newValue });
  } catch (error) {
    if (error instanceof RangeError) throw new SyntaxError('the JSON is nested too deeply');
    throw error;
  }
}

/** The value of a JSON number: a bigint for a 64-bit integer beyond ±2^53, else a double. */
export function exactNumber(text: string): number | bigint {
  const value = Number(text);
  if (Number.isSafeInteger(value) || text.length > LONGEST_INTEGER || !INTEGER.test(text)) return value;
  const integer = BigInt(text);
  return BigInt.asIntN(64, integer) === integer ? integer : value;
}

/**
 * Serializes like JSON.stringify, except that bigints are written as integers, and whole doubles beyond ±2^53
 * in exponent form (`1e+20`), since their plain digits would be read back as integers. Throws TypeError for
 * NaN and infinities, which JSON.stringify turns into null.
 */
export function printExactJson(value: unknown, space?: number): string {
  let isPlain = true;
  const look = (key: string, part: unknown): unknown => {
    if (typeof part === 'number' && !Number.isFinite(part)) {
      throw new TypeError(`${part} at "${key}" has no JSON form`);
    }
    if (typeof part === 'bigint' || isLargeWhole(part) || isLosslessNumber(part)) isPlain = false;
    return typeof part === 'bigint' ? null : part;
  };
  const text = JSON.stringify(value, look, space);
  if (isPlain) return text;
  return stringify(value, null, space, [{ test: isLargeWhole, stringify: realText }]) ?? text;
}

function isLargeWhole(value: unknown): value is number {
  return Number.isInteger(value) && !Number.isSafeInteger(value);
}

function realText(value: unknown): string {
  return (value as number).toExponential();
}

/** An integer part as long as that of 2^53; may also match inside a string. */
const MAY_BE_LONG_INTEGER = /(?<![\d.])\d{16}/;
const INTEGER = /^-?\d+$/;
/** Characters of a 64-bit integer, including its sign. */
const LONGEST_INTEGER = 20;

export function isNestedDeeperThan(text: string, levels: number): boolean {
  let depth = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (inString) {
      if (code === BACKSLASH) i++;
      else if (code === QUOTE) inString = false;
    } else if (code === QUOTE) inString = true;
    else if (code === OPEN_BRACKET || code === OPEN_BRACE) {
      if (++depth > levels) return true;
    } else if (code === CLOSE_BRACKET || code === CLOSE_BRACE) depth--;
  }
  return false;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const [OPEN_BRACKET, CLOSE_BRACKET] = [0x5b, 0x5d];
const [OPEN_BRACE, CLOSE_BRACE] = [0x7b, 0x7d];

/** Maximum nesting of a value from outside (arguments, answers, settings), so code that reads values may recurse. */
export const DEEPEST_VALUE = 100;

/** Maximum nesting of a line that contains such values, such as a prediction: whatever is recorded can be scored. */
export const DEEPEST_LINE = DEEPEST_VALUE + 10;

/** A scalar argument as the text of a query parameter. Numbers are normalized: `5.0` and `5` both become `5`. */
export function parameterText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (!isLosslessNumber(value)) return String(value);
  const number = exactNumber(value.value);
  // A double would hide overflow: infinities, and integers of more than 64 bits.
  return Number.isFinite(Number(number)) ? String(number) : value.value;
}

/** The integer that a query parameter holds, or null; `5.0` is an integer, as in JSON Schema. */
export function readInteger(text: string): bigint | null {
  const digits = /^(-?\d{1,40})(?:\.0{1,40})?$/.exec(text)?.[1];
  return digits === undefined ? null : BigInt(digits);
}

/** The number that a query parameter holds, possibly infinite; null if it is not a number. */
export function readNumber(text: string): number | null {
  return /^-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(text) ? Number(text) : null;
}
