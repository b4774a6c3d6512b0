import { isLosslessNumber, LosslessNumber, parse } from 'lossless-json';
import { DEEPEST_LINE, exactNumber, isNestedDeeperThan } from '../../contracts/exact-json.ts';

/** JSON whose numbers keep source text that a JavaScript number would lose. A bigint is a 64-bit integer. */
export type Json = null | boolean | number | bigint | string | LosslessNumber | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json;
}

/**
 * Parses JSON. A number whose text differs from JavaScript's (`5.0`, `1e3`, twenty digits) stays a
 * `LosslessNumber`; others are plain numbers. For repeated keys the last wins, as in JSON.parse.
 *
 * @throws SyntaxError for anything but one JSON value, or if it is nested deeper than `DEEPEST_LINE`, so that
 * code which walks a value may recurse.
 */
export function parseJson(text: string): Json {
  if (isNestedDeeperThan(text, DEEPEST_LINE)) {
    throw new SyntaxError(`JSON nested deeper than ${DEEPEST_LINE} levels`);
  }
  // Few texts contain such a number, and JSON.parse is many times faster.
  if (!MAY_LOSE_TEXT.test(text)) return JSON.parse(text);
  return parse(text, null, { parseNumber: toNumber, onDuplicateKey: ({ newValue }) => newValue }) as Json;
}

/** A JSON number in any representation. */
export type JsonNumber = number | bigint | LosslessNumber;

export function numberText(value: JsonNumber): string {
  return isLosslessNumber(value) ? value.value : String(value);
}

/** The number's value: a bigint for a 64-bit integer that a double cannot represent, else a double. */
export function numberValue(value: JsonNumber): number | bigint {
  return isLosslessNumber(value) ? exactNumber(value.value) : value;
}

export function isNumber(value: unknown): value is JsonNumber {
  return typeof value === 'number' || typeof value === 'bigint' || isLosslessNumber(value);
}

/** Whether the value is a JSON object (not an array, null or LosslessNumber). */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isLosslessNumber(value);
}

/** The value with `numberValue` applied to every number. */
export function plain(value: Json): unknown {
  if (isNumber(value)) return numberValue(value);
  if (Array.isArray(value)) return value.map(plain);
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, plain(v)]));
  return value;
}

/**
 * A plain number if it prints as the same text, else a LosslessNumber. An integer beyond 2^53 keeps its text
 * even if a double represents it exactly: a double of that size is a real.
 */
export function toNumber(text: string): number | LosslessNumber {
  const value = Number(text);
  const isExact = Number.isSafeInteger(value) || !Number.isInteger(value);
  return isExact && String(value) === text ? value : new LosslessNumber(text);
}

/** A fraction with a trailing zero, an exponent, a tiny fraction, minus zero, or more digits than a double holds. */
const MAY_LOSE_TEXT = /\.\d*0(?!\d)|\d[eE]|\.0{5}|-0|\d(?:\.?\d){14}/;
