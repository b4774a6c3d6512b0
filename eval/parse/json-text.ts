import type { CallElement } from '../calls/agent-call.ts';
import { isObject, type Json, parseJson } from '../json/lossless.ts';
import { readLoosely } from './normalize.ts';
import type { ParsedOutput } from './parsed-output.ts';

/** The whole text as one JSON list, call or provider message. */
export function readJson(output: string): ParsedOutput | null {
  const value = tryJson(output.trim());
  const spelled = value === undefined ? null : readLoosely(value);
  return spelled === null ? null : { calls: spelled.calls, rung: spelled.native ? 'native' : 'json' };
}

/** One JSON object a line, nothing else between. */
export function readJsonLines(output: string): ParsedOutput | null {
  const lines = output.split('\n').map((line) => line.trim().replace(/,$/, ''));
  const calls: CallElement[] = [];
  for (const line of lines) {
    if (line === '') continue;
    if (!line.startsWith('{')) return null;
    const value = tryJson(line);
    if (value === undefined || !isObject(value)) return null;
    calls.push(...(readLoosely(value)?.calls ?? [{ malformed: value }]));
  }
  return calls.some((call) => !('malformed' in call)) ? { calls, rung: 'jsonl' } : null;
}

/** The JSON value that the text is, or undefined. */
export function tryJson(text: string): Json | undefined {
  // Most texts are none, and an error costs more than a look.
  if (!JSON_START.test(text)) return undefined;
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

const JSON_START = /^\s*[[{"\-\dtfn]/;
