import type { CallElement } from '../calls/agent-call.ts';
import { type PropertySchema, typesOf } from '../calls/tool-universe.ts';
import { isObject, type Json } from '../json/lossless.ts';
import { tryJson } from './json-text.ts';
import { LiteralReader, NotReadable } from './literal-reader.ts';

/** A call from its name and the text of its arguments, a JSON object with or without a fence; no text is no arguments. */
export function namedCall(name: string, text: string): CallElement {
  const args = argumentsText(text);
  if (args === '') return { name, arguments: {}, label: null };
  const value = tryJson(args) ?? tryLiteral(args);
  const isFit = NAME.test(name) && value !== undefined && isObject(value);
  return isFit ? { name, arguments: value, label: null } : { malformed: { [name]: args } };
}

/** The value that a text begins with, JSON or Python, or undefined. */
export function tryLiteral(text: string): Json | undefined {
  try {
    return new LiteralReader(text).value();
  } catch (error) {
    if (error instanceof NotReadable) return undefined;
    throw error;
  }
}

/**
 * What a bare text in place of a value stands for, as in `<parameter=a>5</parameter>`: a text where the tool's
 * parameter is one, else a JSON value or a Python constant where it is one.
 */
export function bareValue(text: string, schema?: PropertySchema): Json {
  const types = typesOf(schema).filter((type) => type !== 'null');
  if (types.length === 1 && types[0] === 'string') return text;
  return tryJson(text) ?? CONSTANTS.get(text.trim()) ?? text;
}

function argumentsText(text: string): string {
  return withoutFence(text.trim().replace(/^```\w*\s*/, ''));
}

/** Without a fence at the very end, and the blanks before it. */
export function withoutFence(text: string): string {
  return text.endsWith('```') ? text.slice(0, -3).trimEnd() : text;
}

const NAME = /^[\p{L}_][\p{L}\p{M}\p{N}_.:/-]*$/u;
const CONSTANTS = new Map<string, Json>([
  ['True', true],
  ['False', false],
]);
