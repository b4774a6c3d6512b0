import {
  isNumber,
  isObject,
  type Json,
  type JsonNumber,
  numberText,
  numberValue,
  toNumber,
} from '../json/lossless.ts';
import { pythonRepr, pythonType } from '../json/python.ts';

/** Python's arithmetic operators, by how tightly they bind. */
export const OPERATORS: ReadonlyMap<string, number> = new Map([
  ['+', 1],
  ['-', 1],
  ['*', 2],
  ['/', 2],
  ['//', 2],
  ['%', 2],
  ['**', 3],
]);

/** What Python gives for `left operator right`, or undefined where it gives an error or something too large. */
export function applyOperator(operator: string, leftValue: Json, rightValue: Json): Json | undefined {
  const [left, right] = [withoutBoolean(leftValue), withoutBoolean(rightValue)];
  if (isNumber(left) && isNumber(right)) return arithmetic(operator, left, right);
  if (operator === '+' && typeof left === 'string' && typeof right === 'string') return left + right;
  if (operator === '+' && Array.isArray(left) && Array.isArray(right)) return [...left, ...right];
  if (operator === '*' && isNumber(right)) return repeat(left, right);
  return operator === '*' && isNumber(left) ? repeat(right, left) : undefined;
}

/** How much a value holds: elements at every depth, and characters of long numbers. Counts no further than `most`. */
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

/** In arithmetic, True is 1 and False is 0. */
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

/** undefined is an error; null, that the result is a real number. */
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

/** Has the sign of the divisor, in Python. */
function modulo(left: number, right: number): number {
  const remainder = left % right;
  if (remainder === 0) return right < 0 ? -0 : 0;
  return remainder < 0 === right < 0 ? remainder : remainder + right;
}

/** Derived from the remainder, which is exact; the quotient is not. */
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
/** Python too refuses to print a whole number of more digits. */
export const LONGEST_NUMBER = 4300;
