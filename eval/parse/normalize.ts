import { type CallElement, toCallElement } from '../calls/agent-call.ts';
import { isObject, type Json, type JsonObject, parseJson } from '../json/lossless.ts';

/** Calls as some API or model spells them, and whether that is a provider's own format for tool calls. */
export interface Spelled {
  readonly calls: CallElement[];
  readonly native: boolean;
}

/**
 * The tool calls in a provider's own format: an OpenAI message or its `tool_calls`, an Anthropic message or its
 * `tool_use` blocks. null for anything else.
 */
export function readNative(value: Json): CallElement[] | null {
  if (isObject(value)) {
    if (Array.isArray(value.tool_calls))
      return readNative(value.tool_calls) ?? (value.tool_calls.length === 0 ? [] : null);
    return Array.isArray(value.content) ? readNative(value.content) : null;
  }
  if (!Array.isArray(value) || value.length === 0) return null;
  if (value.every((item) => isObject(item) && isObject(item.function))) return value.map(openAiCall);
  const blocks = value.filter((item) => isObject(item) && item.type === 'tool_use');
  return blocks.length > 0 ? blocks.map(anthropicCall) : null;
}

/** The calls in any of the spellings that models use; null if the value is neither a list nor like a call. */
export function readLoosely(value: Json): Spelled | null {
  const native = readNative(value);
  if (native !== null) return { calls: native, native: true };
  if (Array.isArray(value)) return { calls: value.map(looseCall), native: false };
  if (!isObject(value)) return null;
  for (const key of LISTS) if (Array.isArray(value[key])) return readLoosely(value[key]);
  const call = looseCall(value);
  return 'malformed' in call ? null : { calls: [call], native: false };
}

function openAiCall(item: Json): CallElement {
  const fn = (item as JsonObject).function as JsonObject;
  return toCallElement({ name: fn.name ?? null, arguments: decoded(fn.arguments ?? null) });
}

function anthropicCall(item: Json): CallElement {
  const block = item as JsonObject;
  return toCallElement({ name: block.name ?? null, arguments: block.input ?? null });
}

function looseCall(item: Json): CallElement {
  if (!isObject(item)) return toCallElement(item);
  const nested = item.function;
  if (isObject(nested))
    return looseCall({ ...nested, ...(item.label === undefined ? {} : { label: item.label }) });
  const name = NAMES.map((key) => item[key]).find((value) => typeof value === 'string');
  const key = ARGUMENTS.find((candidate) => Object.hasOwn(item, candidate));
  if (name !== undefined && key !== undefined) {
    const call = toCallElement({ name, arguments: decoded(item[key] ?? {}), label: item.label ?? null });
    return 'malformed' in call ? { malformed: item } : call;
  }
  return singleKeyCall(item) ?? { malformed: item };
}

/** BFCL's `{function_name: {argument: value}}`. */
function singleKeyCall(item: JsonObject): CallElement | null {
  const [entry, ...rest] = Object.entries(item);
  if (entry === undefined || rest.length > 0) return null;
  const args = decoded(entry[1]);
  return isObject(args) && IDENTIFIER.test(entry[0])
    ? toCallElement({ name: entry[0], arguments: args })
    : null;
}

/** Arguments are often given as the text of a JSON object. */
function decoded(args: Json): Json {
  if (typeof args !== 'string') return args;
  if (args.trim() === '') return {};
  try {
    return parseJson(args);
  } catch {
    return args;
  }
}

const LISTS = ['tool_calls', 'calls', 'function_calls', 'api_calls', 'output', 'tools'];
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
const IDENTIFIER = /^[A-Za-z_][\w.-]*$/;
