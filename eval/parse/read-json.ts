import { type CallElement, isCall, toCallElement } from '../calls/calls.ts';
import { type PropertySchema, typesOf } from '../calls/tool-universe.ts';
import { isObject, type Json, type JsonObject, parseJson } from '../json/lossless.ts';
import { type ParsedOutput, readCallSyntax } from './call-syntax.ts';
import { LiteralReader, NotReadable } from './literals.ts';
import { decodedArguments, readProvider } from './providers.ts';

/** Reads calls in any spelling that models use; null if the value is neither a list nor similar to a call. */
export function readLoosely(value: Json) {
  const native = readProvider(value);
  if (native !== null) return { calls: native, native: true };
  if (Array.isArray(value)) return { calls: listedCalls(value), native: false };
  if (!isObject(value)) return null;
  for (const key of LISTS) if (Array.isArray(value[key])) return readLoosely(value[key]);
  const call = looseCall(value);
  return isCall(call) ? { calls: [call], native: false } : null;
}

/** A list of remarks or empty elements, such as `[{}]` or `["No function applies"]`, means no calls. */
function listedCalls(items: readonly Json[]): CallElement[] {
  const calls = items.flatMap(listedCall);
  return calls.some(isCall) || !items.every(saysNothing) ? calls : [];
}

/** Elements may be calls as program text: `["f(a=1)", "g()"]`. */
function listedCall(item: Json): readonly CallElement[] {
  return (typeof item === 'string' ? readCallSyntax(item)?.calls : null) ?? [looseCall(item)];
}

function saysNothing(item: Json): boolean {
  return item === null || typeof item === 'string' || (isObject(item) && Object.keys(item).length === 0);
}

function looseCall(item: Json): CallElement {
  if (!isObject(item)) return toCallElement(item);
  const nested = item.function;
  if (nested !== undefined && isObject(nested))
    return looseCall({ ...nested, ...(item.label === undefined ? {} : { label: item.label }) });
  const name = NAMES.map((key) => item[key]).find((value) => typeof value === 'string');
  const key = ARGUMENTS.find((candidate) => Object.hasOwn(item, candidate));
  if (name !== undefined && key !== undefined) {
    const args = decodedArguments(item[key] ?? {});
    const call = toCallElement({ ...rest(item), name, arguments: args });
    return isCall(call) ? call : { malformed: item };
  }
  return singleKeyCall(item) ?? { malformed: item };
}

/** Optional fields of a call. */
function rest({ label, handle }: JsonObject): JsonObject {
  return { label: label ?? null, ...(handle === undefined ? {} : { handle }) };
}

/** BFCL's `{function_name: {argument: value}}`. */
function singleKeyCall(item: JsonObject): CallElement | null {
  const [entry, ...others] = Object.entries(item);
  if (entry === undefined || others.length > 0) return null;
  const args = decodedArguments(entry[1]);
  return isObject(args) && IDENTIFIER.test(entry[0])
    ? toCallElement({ name: entry[0], arguments: args })
    : null;
}

const LISTS = ['tool_calls', 'calls', 'function_calls', 'api_calls', 'output', 'tools', 'actions'];
const NAMES = ['name', 'function', 'function_name', 'tool', 'tool_name', 'action', 'api'];
const ARGUMENTS = [
  'arguments',
  'parameters',
  'args',
  'params',
  'input',
  'tool_input',
  'action_input',
  'kwargs',
];
const IDENTIFIER = /^[\p{L}_][\p{L}\p{N}_.-]*$/u;

/** Reads a text that is one JSON list, call or provider message. */
export function readJson(output: string): ParsedOutput | null {
  const value = tryJson(output.trim());
  const spelled = value === undefined ? null : readLoosely(value);
  return spelled === null ? null : { calls: spelled.calls, rung: spelled.native ? 'native' : 'json' };
}

/** Reads one JSON object per line, with nothing in between. */
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

export function tryJson(text: string): Json | undefined {
  // Most texts are not JSON, and an exception costs more than this test.
  if (!JSON_START.test(text)) return undefined;
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

const JSON_START = /^\s*[[{"\-\dtfn]/;

/** A call from its name and arguments text, a JSON object with or without a fence; an empty text means no arguments. */
export function namedCall(name: string, text: string): CallElement {
  const args = withoutFence(text.trim().replace(/^```\w*\s*/, ''));
  if (args === '') return { name, arguments: {}, label: null };
  const value = tryJson(args) ?? tryLiteral(args);
  const isFit = NAME.test(name) && value !== undefined && isObject(value);
  return isFit ? { name, arguments: value, label: null } : { malformed: { [name]: args } };
}

/** The JSON or Python value at the beginning of the text, or undefined. */
export function tryLiteral(text: string): Json | undefined {
  try {
    return new LiteralReader(text).value();
  } catch (error) {
    if (error instanceof NotReadable) return undefined;
    throw error;
  }
}

/** The value of a bare text (`<parameter=a>5</parameter>`): a text if the parameter is one, else parsed. */
export function bareValue(text: string, schema?: PropertySchema): Json {
  const types = typesOf(schema).filter((type) => type !== 'null');
  if (types.length === 1 && types[0] === 'string') return text;
  return tryJson(text) ?? CONSTANTS.get(text.trim()) ?? text;
}

/** Removes a fence at the very end, and the blanks before it. */
export function withoutFence(text: string): string {
  return text.endsWith('```') ? text.slice(0, -3).trimEnd() : text;
}

const NAME = /^[\p{L}_][\p{L}\p{M}\p{N}_.:/-]*$/u;
const CONSTANTS = new Map<string, Json>([
  ['True', true],
  ['False', false],
]);
