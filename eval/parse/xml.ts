import type { CallElement } from '../calls/agent-call.ts';
import { isCall } from '../calls/agent-call.ts';
import { isObject, type Json } from '../json/lossless.ts';
import { readEmbedded } from './embedded.ts';
import { readJson, tryJson } from './json-text.ts';
import { bareValue } from './named-call.ts';
import type { OfferedTools, ParsedOutput } from './parsed-output.ts';

/**
 * `<tool_call>{"name": …}</tool_call>`, `<function=name>{…}</function>` and `<invoke name="…"><parameter …>` elements,
 * all of them in order. A closing tag may be missing.
 */
export function readXml(output: string, tools?: OfferedTools): ParsedOutput | null {
  const calls: CallElement[] = [];
  OPENING.lastIndex = 0;
  for (let open = OPENING.exec(output); open !== null; open = OPENING.exec(output)) {
    const [tag, , fn, invoke] = open;
    const start = open.index + tag.length;
    const end = endOf(output, start);
    const body = output.slice(start, end);
    const name = fn ?? invoke;
    if (name !== undefined) calls.push(namedCall(name, body, tools));
    // A wrapper around `<function=…>` or `<invoke …>` has no text of its own.
    else if (body.trim() !== '') calls.push(...(readBody(body) ?? [{ malformed: body.trim() }]));
    OPENING.lastIndex = end;
  }
  return calls.some(isCall) ? { calls, rung: 'xml' } : null;
}

const NAME = /^[\p{L}_][\p{L}\p{M}\p{N}_.-]*$/u;
const OPENING =
  /<(tool_call|function_call)>|<function=([\p{L}\p{N}_.-]+)>|<(?:\w+:)?invoke\s+name="([^"<>]*)"\s*>/gu;
const BOUNDARY = /<\/?(?:\w+:)?(?:tool_call|function_call|function|invoke)\b/g;
const PARAMETER = /<(?:\w+:)?parameter(?:=([\p{L}\p{N}_.-]+)|\s+name="([^"<>]*)")\s*>([\s\S]*)$/u;

function endOf(output: string, start: number): number {
  BOUNDARY.lastIndex = start;
  return BOUNDARY.exec(output)?.index ?? output.length;
}

/** A name alone is a call without arguments, as GLM and others write it. */
function readBody(body: string): readonly CallElement[] | null {
  if (NAME.test(body.trim())) return [{ name: body.trim(), arguments: {}, label: null }];
  return (readJson(body) ?? readEmbedded(body))?.calls ?? null;
}

function namedCall(name: string, body: string, tools?: OfferedTools): CallElement {
  const value = tryJson(body.trim());
  if (value !== undefined && isObject(value)) return { name, arguments: value, label: null };
  const parameters = body.split(/<\/(?:\w+:)?parameter>/).flatMap((part): [string, Json][] => {
    const [, short, long, text] = PARAMETER.exec(part) ?? [];
    if (text === undefined) return [];
    const trimmed = text.replace(/^\n|\n$/g, '');
    const key = short ?? long ?? '';
    return [[key, bareValue(trimmed, tools?.get(name)?.properties[key])]];
  });
  if (parameters.length === 0 && body.trim() !== '') return { malformed: { [name]: body.trim() } };
  return { name, arguments: Object.fromEntries(parameters), label: null };
}
