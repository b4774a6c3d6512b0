import { isLosslessNumber, LosslessNumber, parse } from 'lossless-json';

/** JSON with numbers that keep their source text where a JavaScript number would lose it. */
export type Json = null | boolean | number | string | LosslessNumber | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json;
}

/**
 * Parses JSON. A number whose text is not what JavaScript prints for it (`5.0`, `1e3`, twenty digits) stays a
 * `LosslessNumber`; all others are plain numbers. Of repeated keys the last counts, as in JSON.parse.
 *
 * @throws SyntaxError for anything but one JSON value, and for one nested deeper than 500 levels: everything that
 * walks a value may then do so recursively.
 */
export function parseJson(text: string): Json {
  if (isDeep(text)) throw new SyntaxError(`JSON nested deeper than ${DEEPEST} levels`);
  // Most texts hold no such number at all, and JSON.parse is many times faster.
  if (!MAY_LOSE_TEXT.test(text)) return JSON.parse(text);
  return parse(text, null, { parseNumber: toNumber, onDuplicateKey: ({ newValue }) => newValue }) as Json;
}

/** The JSON number as it was written. */
export function numberText(value: number | LosslessNumber): string {
  return typeof value === 'number' ? String(value) : value.value;
}

/** The number's value as a double. */
export function numberValue(value: number | LosslessNumber): number {
  return typeof value === 'number' ? value : Number(value.value);
}

/** Whether the value is a JSON number. */
export function isNumber(value: unknown): value is number | LosslessNumber {
  return typeof value === 'number' || isLosslessNumber(value);
}

/** Whether the value is a JSON object (not an array, not null, not a number with source text). */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isLosslessNumber(value);
}

/** The same value with every number a plain JavaScript number. */
export function plain(value: Json): unknown {
  if (isNumber(value)) return numberValue(value);
  if (Array.isArray(value)) return value.map(plain);
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, plain(v)]));
  return value;
}

/** A number token as a plain number if that prints as the same text, else with its source text. */
export function toNumber(text: string): number | LosslessNumber {
  const value = Number(text);
  return String(value) === text ? value : new LosslessNumber(text);
}

/** Trailing zero of a fraction, exponent, tiny fraction, minus zero, or more digits than a double tells apart. */
const MAY_LOSE_TEXT = /\.\d*0(?!\d)|\d[eE]|\.0{5}|-0|\d(?:\.?\d){14}/;

const DEEPEST = 500;

function isDeep(text: string): boolean {
  let depth = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (inString) {
      if (code === BACKSLASH) i++;
      else if (code === QUOTE) inString = false;
    } else if (code === QUOTE) inString = true;
    else if (code === 0x5b || code === 0x7b) {
      if (++depth > DEEPEST) return true;
    } else if (code === 0x5d || code === 0x7d) depth--;
  }
  return false;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
