import { LosslessNumber, parse, stringify } from 'lossless-json';
import { HttpProblem } from './problem.ts';
import { limitJsonDepth } from './require-shallow.ts';

/**
 * JSON in which a number that JavaScript would write differently (`5.0`, `9007199254740993`) keeps its text.
 * Throws BAD_REQUEST.
 */
export function readJson(text: string): unknown {
  limitJsonDepth(text);
  try {
    return parse(text, null, (number) =>
      String(Number(number)) === number ? Number(number) : new LosslessNumber(number),
    );
  } catch (error) {
    throw new HttpProblem('BAD_REQUEST', `The body is not JSON: ${(error as Error).message}`);
  }
}

/** The arguments of a call, as an object; nothing at all stands for none. Throws BAD_REQUEST. */
export function readArguments(text: string | undefined): Readonly<Record<string, unknown>> {
  if (text === undefined || text.trim() === '') return {};
  const value = readJson(text);
  if (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof LosslessNumber)
  ) {
    return value as Record<string, unknown>;
  }
  throw new HttpProblem('BAD_REQUEST', 'The body must be a JSON object with the arguments of the call.');
}

/** The same of a text that `writeJson` has written, in which no key comes twice: mostly much quicker. */
export function readOwnJson(text: string): unknown {
  return MAY_LOSE_TEXT.test(text) ? readJson(text) : JSON.parse(text);
}

/** A number with an exponent, a zero at the end of its fraction, a small fraction, minus zero, or too many digits. */
const MAY_LOSE_TEXT = /\.\d*0(?!\d)|\d[eE]|\.0{5}|-0|\d(?:\.?\d){14}/;

/** The JSON text of a value read by `readJson`. */
export function writeJson(value: unknown): string {
  if (value !== undefined && isPlain(value)) return JSON.stringify(value);
  return stringify(value, null, undefined, [{ test: isInfinite, stringify: beyondDoubles }]) ?? 'null';
}

/** Whether JavaScript writes every number in it as it was read. */
function isPlain(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return typeof value !== 'bigint';
  if (Array.isArray(value)) return value.every(isPlain);
  if (value instanceof LosslessNumber) return false;
  for (const key in value) if (!isPlain((value as Readonly<Record<string, unknown>>)[key])) return false;
  return true;
}

function isInfinite(value: unknown): boolean {
  return value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY;
}

/** A number that was too large for a double when it was read, such as `1e400`. */
function beyondDoubles(value: unknown): string {
  return (value as number) > 0 ? '1e400' : '-1e400';
}
