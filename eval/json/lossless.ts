import { isLosslessNumber, LosslessNumber, parse } from 'lossless-json';
import { DEEPEST_LINE, exactNumber, isNestedDeeperThan } from '../../contracts/exact-json.ts';

/**
 * JSON with numbers that keep their source text where a JavaScript number would lose it. A bigint is an integer of 64
 * bits, as the files of a farm are read.
 */
export type Json = null | boolean | number | bigint | string | LosslessNumber | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json;
}

/**
 * Parses JSON. A number whose text is not what JavaScript prints for it (`5.0`, `1e3`, twenty digits) stays a
 * `LosslessNumber`; all others are plain numbers. Of repeated keys the last counts, as in JSON.parse.
 *
 * @throws SyntaxError for anything but one JSON value, and for one nested deeper than `DEEPEST_LINE`: everything that
 * walks a value may then do so recursively.
 */
export function parseJson(text: string): Json {
  if (isNestedDeeperThan(text, DEEPEST_LINE)) {
    throw new SyntaxError(`JSON nested deeper than ${DEEPEST_LINE} levels`);
  }
  // Most texts hold no such number at all, and JSON.parse is many times faster.
  if (!MAY_LOSE_TEXT.test(text)) return JSON.parse(text);
  return parse(text, null, { parseNumber: toNumber, onDuplicateKey: ({ newValue }) => newValue }) as Json;
}

/** A JSON number in one of its forms. */
export type JsonNumber = number | bigint | LosslessNumber;

/** The JSON number as it was written. */
export function numberText(value: JsonNumber): string {
  return isLosslessNumber(value) ? value.value : String(value);
}

/** The number's value: a bigint for an integer of 64 bits that a double cannot hold, else a double. */
export function numberValue(value: JsonNumber): number | bigint {
  return isLosslessNumber(value) ? exactNumber(value.value) : value;
}

/** Whether the value is a JSON number. */
export function isNumber(value: unknown): value is JsonNumber {
  return typeof value === 'number' || typeof value === 'bigint' || isLosslessNumber(value);
}

/** Whether the value is a JSON object (not an array, not null, not a number with source text). */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isLosslessNumber(value);
}

/** The same value with every number as `numberValue` gives it. */
export function plain(value: Json): unknown {
  if (isNumber(value)) return numberValue(value);
  if (Array.isArray(value)) return value.map(plain);
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, plain(v)]));
  return value;
}

/**
 * A number token as a plain number if that prints as the same text, else with its source text. An integer beyond 2^53
 * keeps its text too, even where a double happens to hold it: a double of that size is a real.
 */
export function toNumber(text: string): number | LosslessNumber {
  const value = Number(text);
  const isExact = Number.isSafeInteger(value) || !Number.isInteger(value);
  return isExact && String(value) === text ? value : new LosslessNumber(text);
}

/** Trailing zero of a fraction, exponent, tiny fraction, minus zero, or more digits than a double tells apart. */
const MAY_LOSE_TEXT = /\.\d*0(?!\d)|\d[eE]|\.0{5}|-0|\d(?:\.?\d){14}/;
