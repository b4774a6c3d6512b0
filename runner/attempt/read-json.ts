import { parse } from 'lossless-json';
import { z } from 'zod';
import { cell, type Row } from '../../contracts/catalog.ts';
import { parseExactJson } from '../../contracts/exact-json.ts';
import { restAnswer } from '../../contracts/service.ts';

/**
 * The last JSON list or object in a text, or the JSON value that the whole text is; undefined if there is
 * none. Numbers keep their source text. Text before `</think>` is ignored.
 */
export function lastJson(text: string): unknown {
  const end = text.lastIndexOf(THOUGHTS_END);
  const visible = (end < 0 ? text : text.slice(end + THOUGHTS_END.length)).trim();
  const whole = tryParse(visible);
  if (whole !== undefined) return whole;
  let tries = 0;
  for (let close = lastBracket(visible, visible.length); close >= 0; close = lastBracket(visible, close)) {
    const open = opening(visible, close);
    const value = open === null ? undefined : tryParse(visible.slice(open, close + 1));
    if (value !== undefined) return value;
    if (++tries === MAX_TRIES) return undefined;
  }
  return undefined;
}

const THOUGHTS_END = '</think>';
/** A text full of brackets is prose or code; trying each of them would take quadratic time. */
const MAX_TRIES = 50;

function lastBracket(text: string, before: number): number {
  return Math.max(text.lastIndexOf(']', before - 1), before > 0 ? text.lastIndexOf('}', before - 1) : -1);
}

/** Position of the bracket that matches a closing one, ignoring quoted text; null if there is none. */
function opening(text: string, close: number): number | null {
  let depth = 0;
  let quoted = false;
  for (let at = close; at >= 0; at--) {
    const char = text[at];
    if (char === '"' && !isEscaped(text, at)) quoted = !quoted;
    else if (quoted) continue;
    else if (char === ']' || char === '}') depth++;
    else if ((char === '[' || char === '{') && --depth === 0) return at;
  }
  return null;
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0;
  while (text[at - 1 - slashes] === '\\') slashes++;
  return slashes % 2 === 1;
}

/** Parses a text; undefined if it is invalid. */
export function tryParse(text: string, read: (text: string) => unknown = parse): unknown {
  try {
    return read(text);
  } catch {
    return undefined;
  }
}

/** Parses a text that is a JSON object; undefined for any other. */
export function tryObject(text: string): Record<string, unknown> | undefined {
  const value = tryParse(text, JSON.parse);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
}

/** The rows that a program returned, or that a request was answered with; null for any other text. */
export function wrappedRows(text: string): Row[] | null {
  try {
    const { result, body } = wrapped.parse(parseExactJson(inTextOrder(text)));
    const data = result === undefined ? body?.data : Array.isArray(result) ? result : result?.data;
    const rows = z.array(z.union([z.array(cell), z.record(z.string(), cell)])).safeParse(data);
    return rows.success ? rows.data.map((row) => (Array.isArray(row) ? row : Object.values(row))) : null;
  } catch {
    return null;
  }
}

/** The body that a request was answered with; any other text as it is, also one that was cut. */
export function requestBody(text: string): string {
  const body = text.replace(/^\{"status":\d+,"headers":\{[^{}]*\},"body":/, '');
  return body === text ? text : body.replace(/\}$/, '');
}

const ofRows = z.looseObject({ data: z.unknown() });
const wrapped = z.object({
  result: z.union([z.array(z.unknown()), ofRows]).optional(),
  body: ofRows.optional(),
});

/** The rows in the text of a REST answer, with columns in text order; null for any other text. */
export function restRows(text: string): Row[] | null {
  try {
    const read = restAnswer.safeParse(parseExactJson(inTextOrder(text)));
    return read.success ? read.data.data.map((row) => Object.values(row)) : null;
  } catch {
    return null;
  }
}

/** JSON text whose parsed objects keep the order of their keys: an object would put integer-like ones first. */
export function inTextOrder(json: string): string {
  // Outside strings nothing else looks like a key, and inside them quotes are escaped.
  return json.replace(/([{,])"(\d+)":/g, '$1" $2":');
}
