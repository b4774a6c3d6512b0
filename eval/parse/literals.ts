import {
  isNumber,
  isObject,
  type Json,
  type JsonNumber,
  type JsonObject,
  numberText,
  numberValue,
  toNumber,
} from '../json/lossless.ts';
import { pythonRepr, pythonType } from '../json/python.ts';

/** Python's arithmetic operators with their precedence. */
export const OPERATORS: ReadonlyMap<string, number> = new Map([
  ['+', 1],
  ['-', 1],
  ['*', 2],
  ['/', 2],
  ['//', 2],
  ['%', 2],
  ['**', 3],
]);

/** The result of `left operator right` in Python; undefined for an error or a result that is too large. */
export function applyOperator(operator: string, leftValue: Json, rightValue: Json): Json | undefined {
  const [left, right] = [withoutBoolean(leftValue), withoutBoolean(rightValue)];
  if (isNumber(left) && isNumber(right)) return arithmetic(operator, left, right);
  if (operator === '+' && typeof left === 'string' && typeof right === 'string') return left + right;
  if (operator === '+' && Array.isArray(left) && Array.isArray(right)) return [...left, ...right];
  if (operator === '*' && isNumber(right)) return repeat(left, right);
  return operator === '*' && isNumber(left) ? repeat(right, left) : undefined;
}

/** The size of a value: elements at every depth, plus characters of long numbers. Stops counting at `most`. */
export function sizeOf(value: Json, most: number): number {
  if (isNumber(value)) return typeof value === 'number' ? 1 : numberText(value).length;
  const parts = Array.isArray(value) ? value : isObject(value) ? Object.values(value) : [];
  let size = 1;
  for (const part of parts) {
    if (size > most) break;
    size += sizeOf(part, most - size);
  }
  return size;
}

/** Booleans count as 1 and 0 in arithmetic. */
function withoutBoolean(value: Json): Json {
  return typeof value === 'boolean' ? Number(value) : value;
}

function arithmetic(operator: string, left: JsonNumber, right: JsonNumber): Json | undefined {
  if (numberText(left).length > LONGEST_NUMBER || numberText(right).length > LONGEST_NUMBER) return undefined;
  const isWhole = pythonType(left) === 'int' && pythonType(right) === 'int';
  if (isWhole && operator !== '/') {
    const whole = wholeArithmetic(operator, BigInt(numberText(left)), BigInt(numberText(right)));
    if (whole !== null) return whole === undefined ? undefined : toNumber(String(whole));
  }
  const value = realArithmetic(operator, Number(numberValue(left)), Number(numberValue(right)));
  if (!Number.isFinite(value)) return undefined;
  if (Object.is(value, -0)) return toNumber('-0.0');
  const text = pythonRepr(toNumber(String(value)));
  return toNumber(/[.e]/.test(text) ? text : `${text}.0`);
}

/** undefined for an error; null if the result is a real number. */
function wholeArithmetic(operator: string, left: bigint, right: bigint): bigint | undefined | null {
  if (operator === '+') return left + right;
  if (operator === '-') return left - right;
  if (operator === '*') return left * right;
  if (operator === '**') {
    if (right < 0n) return null;
    const isShort = right <= LARGEST_POWER && String(left).length * Number(right) <= LONGEST_NUMBER;
    return isShort ? left ** right : undefined;
  }
  if (right === 0n) return undefined;
  const remainder = left % right;
  // Python rounds towards minus infinity, JavaScript towards zero.
  const isBelow = remainder !== 0n && remainder < 0n !== right < 0n;
  if (operator === '%') return isBelow ? remainder + right : remainder;
  return isBelow ? left / right - 1n : left / right;
}

function realArithmetic(operator: string, left: number, right: number): number {
  if (operator === '+') return left + right;
  if (operator === '-') return left - right;
  if (operator === '*') return left * right;
  if (operator === '**') return left ** right;
  if (right === 0) return Number.NaN;
  if (operator === '/') return left / right;
  return operator === '//' ? floorDivide(left, right) : modulo(left, right);
}

/** In Python, the result has the sign of the divisor. */
function modulo(left: number, right: number): number {
  const remainder = left % right;
  if (remainder === 0) return right < 0 ? -0 : 0;
  return remainder < 0 === right < 0 ? remainder : remainder + right;
}

/** Derived from the remainder, which is exact, unlike the quotient. */
function floorDivide(left: number, right: number): number {
  return Math.round((left - modulo(left, right)) / right);
}

function repeat(value: Json, count: JsonNumber): Json | undefined {
  if ((typeof value !== 'string' && !Array.isArray(value)) || pythonType(count) !== 'int') return undefined;
  const times = Math.max(0, Number(numberValue(count)));
  if (value.length * times > LONGEST) return undefined;
  return typeof value === 'string' ? value.repeat(times) : Array.from({ length: times }, () => value).flat();
}

const LARGEST_POWER = 1000n;
const LONGEST = 100_000;
/** Python's own limit on the digits of a printed integer. */
export const LONGEST_NUMBER = 4300;

/** Thrown inside a reader if the text does not match; never leaves eval/parse. */
export class NotReadable extends Error {}

/** A shared instance: a hostile text fails at every character, and each new error would record a stack. */
export const NOT_READABLE = new NotReadable();

/**
 * Reads values anywhere in a text: JSON and Python literals alike (`True`, `r'x'`, `(1, 2)`, `{1: 2}`, `2 3`,
 * trailing commas), and unquoted keys. A reader has a budget of steps and remembers every unclosed bracket,
 * so that trying each position of a long text stays linear.
 */
export class LiteralReader {
  readonly text: string;
  position = 0;
  private steps: number;
  private depth = 0;
  /** Positions of the brackets that are open now. */
  private readonly open: number[] = [];
  private readonly unclosed = new Set<number>();
  private tooDeepUntil = 0;

  constructor(text: string) {
    this.text = text;
    this.steps = 10_000 + 20 * text.length;
  }

  /** Whether the budget of steps is used up; further reads fail. */
  get exhausted(): boolean {
    return this.steps <= 0;
  }

  /** Whether the value at this bracket is known to be unreadable. */
  isHopeless(at: number): boolean {
    return at < this.tooDeepUntil || this.unclosed.has(at);
  }

  /** The position before which everything is known to be nested too deeply. */
  get endOfTooDeep(): number {
    return this.tooDeepUntil;
  }

  /** Reads the value at the position and advances. Throws NotReadable. */
  value(): Json {
    return this.nested(() => this.expression(0));
  }

  /** Operands joined by operators of at least this precedence. */
  private expression(level: number): Json {
    let left = this.operand();
    for (;;) {
      const operator = this.operator(level);
      if (operator === null) return left;
      const binding = OPERATORS.get(operator) as number;
      // Powers are right-associative, everything else is left-associative.
      const right = this.nested(() => this.expression(operator === '**' ? binding : binding + 1));
      const result = applyOperator(operator, left, right);
      if (result === undefined) throw NOT_READABLE;
      // A few characters may produce a large value, which each step of a chain copies.
      this.spend(sizeOf(result, this.steps));
      left = result;
    }
  }

  private operator(level: number): string | null {
    const before = this.position;
    const operator = this.match(OPERATOR)?.trim();
    if (operator !== undefined && (OPERATORS.get(operator) as number) >= Math.max(level, 1)) return operator;
    this.position = before;
    return null;
  }

  protected operand(): Json {
    this.blank();
    const char = this.peek();
    if (char === '[' || char === '(' || char === '{') return this.bracketed(char);
    if (char === '"' || char === "'") return this.strings();
    const prefix = this.match(STRING_PREFIX);
    if (prefix !== null) return this.strings(/r/i.test(prefix));
    const word = this.match(WORD);
    if (word !== null) return this.word(word);
    return this.number();
  }

  private bracketed(char: '[' | '(' | '{'): Json {
    this.open.push(this.position);
    const value = char === '[' ? this.list(']') : char === '(' ? this.tuple() : this.object();
    this.open.pop();
    return value;
  }

  /** The value of a bare word: a constant, in a literal. */
  protected word(word: string): Json {
    const value = CONSTANTS.get(word);
    if (value === undefined) throw NOT_READABLE;
    return value;
  }

  protected number(): Json {
    const based = this.match(BASED_NUMBER);
    if (based !== null) {
      if (based.length > LONGEST_NUMBER) throw NOT_READABLE;
      return toNumber(String(BigInt(based.replaceAll('_', ''))));
    }
    // In Python, a power binds tighter than a sign.
    if (this.match(SIGNED_POWER) !== null) throw NOT_READABLE;
    const text = this.match(NUMBER);
    if (text === null) throw NOT_READABLE;
    const [, sign = '', int = '', fraction, exponent = ''] =
      NUMBER_PARTS.exec(text.replaceAll('_', '')) ?? [];
    const digits = int.replace(/^0+(?=\d)/, '') || '0';
    return toNumber(
      `${sign === '-' ? '-' : ''}${digits}${fraction === undefined ? '' : `.${fraction || '0'}`}${exponent}`,
    );
  }

  /** Adjacent strings are concatenated, as in Python. */
  private strings(raw = false): string {
    let out = this.string(raw);
    for (;;) {
      const before = this.position;
      this.blank();
      const prefix = this.match(STRING_PREFIX);
      if (prefix === null && this.peek() !== '"' && this.peek() !== "'") {
        this.position = before;
        return out;
      }
      out += this.string(/r/i.test(prefix ?? ''));
    }
  }

  string(raw = false): string {
    const quote = this.next();
    const triple = this.text.startsWith(quote + quote, this.position);
    if (triple) this.position += 2;
    return this.stringUntil(triple ? quote.repeat(3) : quote, triple, raw);
  }

  private stringUntil(closing: string, triple: boolean, raw: boolean): string {
    let out = '';
    for (;;) {
      if (this.text.startsWith(closing, this.position)) {
        this.position += closing.length;
        return out;
      }
      const char = this.next();
      if (char === '\n' && !triple) throw NOT_READABLE;
      if (char !== '\\') out += char;
      else out += raw ? char + this.next() : this.escape();
    }
  }

  private escape(): string {
    const char = this.next();
    const octal = OCTAL.exec(this.text.slice(this.position - 1, this.position + 2))?.[0];
    if (octal !== undefined) {
      this.position += octal.length - 1;
      return String.fromCodePoint(Number.parseInt(octal, 8));
    }
    if (char === '/') return this.slash();
    const width = HEX_WIDTH.get(char);
    if (width === undefined) return ESCAPES.get(char) ?? (char === '\n' ? '' : `\\${char}`);
    const digits = this.text.slice(this.position, this.position + width);
    const code = Number.parseInt(digits, 16);
    if (!HEX.test(digits) || digits.length < width || code > 0x10ffff) throw NOT_READABLE;
    this.position += width;
    return String.fromCodePoint(code);
  }

  /** JSON escapes slashes; Python does not. */
  protected slash(): string {
    return '/';
  }

  private list(closing: ']' | ')'): Json[] {
    const items: Json[] = [];
    this.next();
    for (;;) {
      this.blank();
      if (this.take(closing)) return items;
      items.push(this.value());
      this.blank();
      if (!this.take(',') && this.peek() !== closing) throw NOT_READABLE;
    }
  }

  /** `(1, 2)` and `(1,)` are lists, `(1)` is its content. */
  private tuple(): Json {
    const items = this.list(')');
    const [item] = items;
    return items.length === 1 && item !== undefined && !this.endsInComma() ? item : items;
  }

  /** Whether a comma precedes the bracket just read. */
  private endsInComma(): boolean {
    let at = this.position - 2;
    while (/\s/.test(this.text[at] ?? '')) at--;
    return this.text[at] === ',';
  }

  private object(): JsonObject {
    const entries: [string, Json][] = [];
    this.next();
    for (;;) {
      this.blank();
      // fromEntries defines own properties for any key; for repeated keys the last wins.
      if (this.take('}')) return Object.fromEntries(entries);
      const key = this.key();
      this.blank();
      if (!this.take(':')) throw NOT_READABLE;
      entries.push([key, this.value()]);
      this.blank();
      if (!this.take(',') && this.peek() !== '}') throw NOT_READABLE;
    }
  }

  /** A quoted or bare key; a number becomes its text. */
  protected key(): string {
    if (this.peek() === '"' || this.peek() === "'") return this.string();
    const key = this.match(BARE_KEY);
    if (key === null) throw NOT_READABLE;
    return key;
  }

  protected nested<T>(read: () => T): T {
    if (++this.depth > 100) {
      this.depth = 0;
      this.tooDeepUntil = Math.max(this.tooDeepUntil, this.position);
      throw NOT_READABLE;
    }
    const value = read();
    this.depth--;
    return value;
  }

  /** Moves to another position, also after a failure. */
  seek(position: number): void {
    // Brackets still open could not be read in any context.
    for (const at of this.open) this.unclosed.add(at);
    this.open.length = 0;
    this.position = position;
    this.depth = 0;
  }

  peek(): string {
    return this.text[this.position] ?? '';
  }

  take(text: string): boolean {
    if (!this.text.startsWith(text, this.position)) return false;
    this.spend(text.length);
    this.position += text.length;
    return true;
  }

  blank(): void {
    this.match(BLANK);
  }

  /** The match of a sticky pattern at the position, or null. */
  match(pattern: RegExp): string | null {
    pattern.lastIndex = this.position;
    const found = pattern.exec(this.text)?.[0];
    this.spend(1 + (found?.length ?? 0));
    if (found === undefined) return null;
    this.position += found.length;
    return found;
  }

  private next(): string {
    const char = this.text[this.position];
    if (char === undefined) throw NOT_READABLE;
    this.spend(1);
    this.position++;
    return char;
  }

  private spend(steps: number): void {
    this.steps -= steps;
    if (this.steps <= 0) throw NOT_READABLE;
  }
}

const BLANK = /\s*/y;
const WORD = /[\p{L}_][\p{L}\p{N}_]*/uy;
const STRING_PREFIX = /(?:[rRuUbB]|[rR][bB]|[bB][rR])(?=["'])/y;
const BARE_KEY = /[\p{L}_][\p{L}\p{N}_-]*|-?\d+(?:\.\d+)?/uy;
const OPERATOR = /[ \t]*(?:\*\*|\/\/|[-+*/%])/y;
const NUMBER = /[+-]?(?:\d[\d_]*(?:\.[\d_]*)?|\.\d[\d_]*)(?:[eE][+-]?\d+)?/y;
const BASED_NUMBER = /0(?:[xX][0-9a-fA-F_]+|[oO][0-7_]+|[bB][01_]+)/y;
const SIGNED_POWER = /[+-][\d._]+[ \t]*\*\*/y;
const NUMBER_PARTS = /^([+-]?)(\d*)(?:\.(\d*))?((?:[eE][+-]?\d+)?)$/;
const OCTAL = /^[0-7]{1,3}/;
const HEX = /^[0-9a-fA-F]+$/;
const HEX_WIDTH = new Map([
  ['x', 2],
  ['u', 4],
  ['U', 8],
]);
const ESCAPES = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['b', '\b'],
  ['f', '\f'],
  ['v', '\v'],
  ['\\', '\\'],
  ['"', '"'],
  ["'", "'"],
]);
const CONSTANTS = new Map<string, Json>([
  ['true', true],
  ['True', true],
  ['false', false],
  ['False', false],
  ['null', null],
  ['None', null],
]);
