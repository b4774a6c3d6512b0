import { isLosslessNumber, parse, stringify } from 'lossless-json';

/**
 * Parses JSON like JSON.parse, but an integer of 64 bits that a double cannot hold becomes a bigint. A larger one is
 * a real in SQLite, and so a number here. Throws SyntaxError.
 */
export function parseExactJson(text: string): unknown {
  if (!MAY_BE_LONG_INTEGER.test(text)) return JSON.parse(text);
  // It recurses where JSON.parse does not: text that is nested too deeply for it must not look like a bug in rookery.
  try {
    return parse(text, null, { parseNumber: exactNumber, onDuplicateKey: ({ newValue }) => newValue });
  } catch (error) {
    if (error instanceof RangeError) throw new SyntaxError('the JSON is nested too deeply');
    throw error;
  }
}

/** The value of a JSON number's text: a bigint for an integer of 64 bits beyond ±2^53, else a double. */
export function exactNumber(text: string): number | bigint {
  const value = Number(text);
  if (Number.isSafeInteger(value) || text.length > LONGEST_INTEGER || !INTEGER.test(text)) return value;
  const integer = BigInt(text);
  return BigInt.asIntN(64, integer) === integer ? integer : value;
}

/**
 * JSON text of a value as JSON.stringify writes it, but with bigints as integers, and with whole doubles beyond ±2^53
 * in a form that reads as a real (`1e+20`): the digits that JSON.stringify gives them would read as an integer.
 * Throws TypeError for NaN and infinities, of which JSON.stringify makes null.
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

/** The integer part of a number with as many digits as 2^53 has, or something inside a text that looks like one. */
const MAY_BE_LONG_INTEGER = /(?<![\d.])\d{16}/;
const INTEGER = /^-?\d+$/;
/** Of 64 bits, with its sign. */
const LONGEST_INTEGER = 20;

/** Whether a JSON text has more levels of arrays and objects, one inside the other, than `levels`. */
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

/**
 * Levels of arrays and objects, one inside the other, that a value from outside may have: arguments of a call, an
 * answer, settings. Rows are two levels deep; whatever reads a value may recurse.
 */
export const DEEPEST_VALUE = 100;

/** The same of a line that holds such values, as predictions do: what is recorded can always be scored. */
export const DEEPEST_LINE = DEEPEST_VALUE + 10;

/**
 * A scalar argument as the text of a query parameter. A number is written by its value, whatever its spelling:
 * `5.0` and `5` are both `5`.
 */
export function parameterText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (!isLosslessNumber(value)) return String(value);
  const number = exactNumber(value.value);
  // A double would hide a mistake here: infinities, and integers of more than 64 bits.
  return Number.isFinite(Number(number)) ? String(number) : value.value;
}

/** The integer in a query parameter's text, or null; `5.0` is an integer, as in JSON Schema. */
export function readInteger(text: string): bigint | null {
  const digits = /^(-?\d{1,40})(?:\.0{1,40})?$/.exec(text)?.[1];
  return digits === undefined ? null : BigInt(digits);
}

/** The number in a query parameter's text, possibly infinite; null when it is not a number. */
export function readNumber(text: string): number | null {
  return /^-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(text) ? Number(text) : null;
}
