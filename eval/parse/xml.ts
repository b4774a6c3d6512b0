import type { CallElement } from '../calls/agent-call.ts';
import { isCall } from '../calls/agent-call.ts';
import { isObject, type Json } from '../json/lossless.ts';
import { readEmbedded } from './embedded.ts';
import { readJson, tryJson } from './json-text.ts';
import type { ParsedOutput } from './parsed-output.ts';

/**
 * `<tool_call>{"name": …}</tool_call>`, `<function=name>{…}</function>` and `<invoke name="…"><parameter …>` elements,
 * all of them in order. A closing tag may be missing.
 */
export function readXml(output: string): ParsedOutput | null {
  const calls: CallElement[] = [];
  OPENING.lastIndex = 0;
  for (let open = OPENING.exec(output); open !== null; open = OPENING.exec(output)) {
    const [tag, , fn, invoke] = open;
    const start = open.index + tag.length;
    const end = endOf(output, start);
    const body = output.slice(start, end);
    const name = fn ?? invoke;
    if (name !== undefined) calls.push(namedCall(name, body));
    // A wrapper around `<function=…>` or `<invoke …>` has no text of its own.
    else if (body.trim() !== '') calls.push(...(readBody(body) ?? [{ malformed: body.trim() }]));
    OPENING.lastIndex = end;
  }
  return calls.some(isCall) ? { calls, rung: 'xml' } : null;
}

const OPENING = /<(tool_call|function_call)>|<function=([\w.-]+)>|<invoke\s+name="([^"<>]*)"\s*>/g;
const BOUNDARY = /<\/?(?:tool_call|function_call|function|invoke)\b/g;
const PARAMETER = /<parameter(?:=([\w.-]+)|\s+name="([^"<>]*)")\s*>([\s\S]*)$/;

function endOf(output: string, start: number): number {
  BOUNDARY.lastIndex = start;
  return BOUNDARY.exec(output)?.index ?? output.length;
}

function readBody(body: string): readonly CallElement[] | null {
  return (readJson(body) ?? readEmbedded(body))?.calls ?? null;
}

function namedCall(name: string, body: string): CallElement {
  const value = tryJson(body.trim());
  if (value !== undefined && isObject(value)) return { name, arguments: value, label: null };
  const parameters = body.split('</parameter>').flatMap((part): [string, Json][] => {
    const [, short, long, text] = PARAMETER.exec(part) ?? [];
    if (text === undefined) return [];
    const trimmed = text.replace(/^\n|\n$/g, '');
    return [[short ?? long ?? '', tryJson(trimmed) ?? trimmed]];
  });
  if (parameters.length === 0 && body.trim() !== '') return { malformed: { [name]: body.trim() } };
  return { name, arguments: Object.fromEntries(parameters), label: null };
}
