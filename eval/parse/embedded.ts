import { isObject, type Json } from '../json/lossless.ts';
import { chooseCalls, type Part } from './choose.ts';
import { tryJson } from './json-text.ts';
import { LiteralReader, NotReadable } from './literal-reader.ts';
import { readLoosely } from './normalize.ts';
import type { ParsedOutput } from './parsed-output.ts';

/** JSON or Python lists and objects of calls anywhere in the text, with prose around them. */
export function readEmbedded(output: string): ParsedOutput | null {
  const reader = new LiteralReader(output);
  const parts: Part[] = [];
  let isJson = true;
  for (let at = nextBracket(output, 0); at >= 0 && !reader.exhausted; ) {
    const part = readAt(reader, at);
    if (part !== null) {
      parts.push(part);
      isJson &&= tryJson(output.slice(at, reader.position)) !== undefined;
    }
    at = nextBracket(output, part === null ? at + 1 : reader.position);
    while (at >= 0 && reader.isHopeless(at)) at = nextBracket(output, at + 1);
  }
  const calls = chooseCalls(parts);
  return calls === null ? null : { calls, rung: isJson ? 'json_in_text' : 'python_literal' };
}

function readAt(reader: LiteralReader, at: number): Part | null {
  reader.seek(at);
  try {
    const value = reader.value();
    // A lone `{"name": {…}}` in prose is more likely data than a call.
    if (!Array.isArray(value) && !looksLikeCall(value)) return null;
    const spelled = readLoosely(value);
    return spelled === null ? null : { calls: spelled.calls, list: Array.isArray(value) };
  } catch (error) {
    if (!(error instanceof NotReadable)) throw error;
    reader.seek(at);
    return null;
  }
}

function looksLikeCall(value: Json): boolean {
  return isObject(value) && Object.keys(value).length > 1;
}

function nextBracket(text: string, from: number): number {
  BRACKET.lastIndex = from;
  return BRACKET.exec(text)?.index ?? -1;
}

const BRACKET = /[[{]/g;
