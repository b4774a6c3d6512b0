import { isNumber, type Json, numberText } from './lossless.ts';

/** Python semantics of JSON values, as the published scorers are Python programs. */
export type PythonType = 'NoneType' | 'bool' | 'int' | 'float' | 'str' | 'list' | 'tuple' | 'dict';

/** A list that was a tuple in Python source: JSON has no tuples, but in Python they never equal lists. */
export class PythonTuple extends Array<Json> {}

/** The type that `json.loads` returns: `5` is an int, `5.0` and `1e3` are floats. */
export function pythonType(value: Json): PythonType {
  if (value === null) return 'NoneType';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'string') return 'str';
  if (isNumber(value)) return INTEGER.test(numberText(value)) ? 'int' : 'float';
  if (value instanceof PythonTuple) return 'tuple';
  return Array.isArray(value) ? 'list' : 'dict';
}

/** Python's `str(value)`. */
export function pythonStr(value: Json): string {
  return typeof value === 'string' ? value : pythonRepr(value);
}

/** Python's `repr(value)`. */
export function pythonRepr(value: Json): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'string') return stringRepr(value);
  if (isNumber(value)) {
    const text = numberText(value);
    return INTEGER.test(text) ? integerText(text) : floatRepr(Number(text));
  }
  if (Array.isArray(value)) {
    const items = Array.from(value, pythonRepr).join(', ');
    if (!(value instanceof PythonTuple)) return `[${items}]`;
    return value.length === 1 ? `(${items},)` : `(${items})`;
  }
  const items = Object.entries(value).map(([key, item]) => `${stringRepr(key)}: ${pythonRepr(item)}`);
  return `{${items.join(', ')}}`;
}

/** Python's `a == b`: numbers and booleans by value, strings never equal to numbers. */
export function pythonEquals(a: Json, b: Json): boolean {
  if (isNumeric(a) && isNumeric(b)) {
    const [left, right] = [numericText(a), numericText(b)];
    // Python integers are exact at any length.
    if (INTEGER.test(left) && INTEGER.test(right)) return integerText(left) === integerText(right);
    if (INTEGER.test(left)) return equalsInteger(Number(right), left);
    if (INTEGER.test(right)) return equalsInteger(Number(left), right);
    return Number(left) === Number(right);
  }
  if (Array.isArray(a) && Array.isArray(b)) {
    if (a instanceof PythonTuple !== b instanceof PythonTuple) return false;
    return a.length === b.length && a.every((item, i) => pythonEquals(item, b[i] as Json));
  }
  if (pythonType(a) === 'dict' && pythonType(b) === 'dict') {
    const left = Object.entries(a as object) as [string, Json][];
    const right = b as { [key: string]: Json };
    return (
      left.length === Object.keys(right).length &&
      left.every(([key, item]) => Object.hasOwn(right, key) && pythonEquals(item, right[key] as Json))
    );
  }
  return a === b;
}

/** JSON integers are canonical except for minus zero. */
const INTEGER = /^-?\d+$/;

function integerText(text: string): string {
  return text === '-0' ? '0' : text;
}

/** A float equals an integer only if their exact values are equal. */
function equalsInteger(real: number, integer: string): boolean {
  return Number.isInteger(real) && BigInt(real) === BigInt(integer);
}

function isNumeric(value: Json): boolean {
  return isNumber(value) || typeof value === 'boolean';
}

function numericText(value: Json): string {
  return isNumber(value) ? numberText(value) : value ? '1' : '0';
}

function floatRepr(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  if (value === 0) return Object.is(value, -0) ? '-0.0' : '0.0';
  const [mantissa = '', exponentText = '0'] = value.toExponential().split('e');
  const exponent = Number(exponentText);
  // Python switches to scientific notation earlier than JavaScript, and pads the exponent to two digits.
  if (exponent < -4 || exponent >= 16) {
    const sign = exponent < 0 ? '-' : '+';
    return `${mantissa}e${sign}${String(Math.abs(exponent)).padStart(2, '0')}`;
  }
  if (exponent >= 0) {
    const text = String(value);
    return text.includes('.') ? text : `${text}.0`;
  }
  const digits = mantissa.replace(/[-.]/g, '');
  return `${value < 0 ? '-' : ''}0.${'0'.repeat(-exponent - 1)}${digits}`;
}

function stringRepr(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  let out = quote;
  for (const char of text) out += escapeChar(char, quote);
  return out + quote;
}

function escapeChar(char: string, quote: string): string {
  if (char === '\\' || char === quote) return `\\${char}`;
  if (char === '\n') return '\\n';
  if (char === '\r') return '\\r';
  if (char === '\t') return '\\t';
  const code = char.codePointAt(0) as number;
  if (char === ' ' || !NOT_PRINTABLE.test(char)) return char;
  if (code < 0x100) return `\\x${code.toString(16).padStart(2, '0')}`;
  if (code < 0x10000) return `\\u${code.toString(16).padStart(4, '0')}`;
  return `\\U${code.toString(16).padStart(8, '0')}`;
}

/** Categories "Other" and "Separator", which Python's repr escapes. */
const NOT_PRINTABLE = /[\p{C}\p{Z}]/u;
