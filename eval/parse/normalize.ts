import { type CallElement, isCall, toCallElement } from '../calls/agent-call.ts';
import { isObject, type Json, type JsonObject } from '../json/lossless.ts';
import { readCallSyntax } from './call-syntax.ts';
import { decodedArguments } from './decoded-arguments.ts';
import { readProvider } from './providers/read-provider.ts';

/** Calls as some API or model spells them, and whether that is a provider's own format for tool calls. */
export interface Spelled {
  readonly calls: CallElement[];
  readonly native: boolean;
}

/** The calls in any of the spellings that models use; null if the value is neither a list nor like a call. */
export function readLoosely(value: Json): Spelled | null {
  const native = readProvider(value);
  if (native !== null) return { calls: native, native: true };
  if (Array.isArray(value)) return { calls: listedCalls(value), native: false };
  if (!isObject(value)) return null;
  for (const key of LISTS) if (Array.isArray(value[key])) return readLoosely(value[key]);
  const call = looseCall(value);
  return isCall(call) ? { calls: [call], native: false } : null;
}

/** A list of remarks and empty elements, such as `[{}]` or `["No function applies"]`, says that nothing is to be called. */
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

/** What else a call may say of itself. */
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
