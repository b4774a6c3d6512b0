import { type CallElement, toCallElement } from '../calls/calls.ts';
import { isObject, type Json, type JsonObject, parseJson } from '../json/lossless.ts';

/** Arguments as given, or decoded if they are JSON text, as in several APIs; an empty text means no arguments. */
export function decodedArguments(args: Json): Json {
  if (typeof args !== 'string') return args;
  if (args.trim() === '') return {};
  try {
    return parseJson(args);
  } catch {
    return args;
  }
}

/**
 * Anthropic's Messages: a message, or its content; blocks of type `tool_use` are the calls. null if there is none.
 *
 * Source: https://docs.anthropic.com/en/docs/agents-and-tools/tool-use/overview
 */
export function readAnthropic(value: Json): CallElement[] | null {
  if (isObject(value)) return Array.isArray(value.content) ? readAnthropic(value.content) : null;
  if (!Array.isArray(value)) return null;
  const blocks = value.filter((item): item is JsonObject => isObject(item) && item.type === 'tool_use');
  if (blocks.length === 0) return null;
  return blocks.map(({ name, input }) => toCallElement({ name: name ?? null, arguments: input ?? null }));
}

/**
 * Amazon Bedrock's Converse: a whole response, its message, or the message's content; `toolUse` blocks are the calls.
 * null if there is none.
 *
 * Source: https://docs.aws.amazon.com/bedrock/latest/userguide/tool-use-inference-call.html
 */
export function readBedrock(value: Json): CallElement[] | null {
  if (Array.isArray(value)) {
    const calls = value.flatMap((block) => blockCall(block) ?? []);
    return calls.length > 0 ? calls : null;
  }
  if (!isObject(value)) return null;
  for (const key of ['output', 'message', 'content']) {
    const inner = value[key];
    if (inner !== undefined && (key === 'content' ? Array.isArray(inner) : isObject(inner)))
      return readBedrock(inner);
  }
  return blockCall(value);
}

function blockCall(block: Json): CallElement[] | null {
  const use = isObject(block) ? block.toolUse : undefined;
  if (use === undefined || !isObject(use)) return null;
  return [toCallElement({ name: use.name ?? null, arguments: use.input ?? ({} satisfies JsonObject) })];
}

/**
 * Gemini's generateContent: a whole response (`candidates`), a content, its `parts`, or one part; `functionCall` is the
 * call (`function_call` in the Python SDK). null if there is none.
 *
 * Source: https://ai.google.dev/gemini-api/docs/function-calling
 */
export function readGemini(value: Json): CallElement[] | null {
  if (Array.isArray(value)) {
    const calls = value.flatMap((part) => partCall(part) ?? []);
    return calls.length > 0 ? calls : null;
  }
  if (!isObject(value)) return null;
  const { candidates, content, parts } = value;
  if (Array.isArray(candidates)) return candidates[0] === undefined ? null : readGemini(candidates[0]);
  if (Array.isArray(parts)) return readGemini(parts);
  if (content !== undefined && isObject(content)) return readGemini(content);
  return partCall(value);
}

function partCall(part: Json): CallElement[] | null {
  if (!isObject(part)) return null;
  const call = part.functionCall ?? part.function_call;
  // OpenAI's older `function_call` has `arguments`.
  if (call === undefined || !isObject(call) || Object.hasOwn(call, 'arguments')) return null;
  return [toCallElement({ name: call.name ?? null, arguments: call.args ?? ({} satisfies JsonObject) })];
}

/**
 * OpenAI's Chat Completions: a whole response (`choices`), its message, the message's `tool_calls`, or the older
 * `function_call`. Ollama's chat response has the message at its top. null for anything else.
 *
 * Source: https://platform.openai.com/docs/api-reference/chat/object
 */
export function readOpenAiChat(value: Json): CallElement[] | null {
  if (Array.isArray(value)) return listedCalls(value);
  if (!isObject(value)) return null;
  const { tool_calls, function_call } = messageOf(value);
  if (Array.isArray(tool_calls)) return tool_calls.length === 0 ? [] : listedCalls(tool_calls);
  const isOlder =
    function_call !== undefined && isObject(function_call) && function_call.arguments !== undefined;
  return isOlder ? [functionCall(function_call)] : null;
}

/** The message of a response, or the value if it is the message itself. */
function messageOf(value: JsonObject): JsonObject {
  const choice = Array.isArray(value.choices) ? value.choices[0] : value;
  const message = choice !== undefined && isObject(choice) ? choice.message : undefined;
  return message !== undefined && isObject(message) ? message : value;
}

function listedCalls(items: readonly Json[]): CallElement[] | null {
  const functions = items.map((item) => (isObject(item) ? item.function : undefined));
  const isList =
    functions.length > 0 && functions.every((fn): fn is JsonObject => fn !== undefined && isObject(fn));
  return isList ? functions.map(functionCall) : null;
}

function functionCall({ name, arguments: args }: JsonObject): CallElement {
  return toCallElement({ name: name ?? null, arguments: decodedArguments(args ?? null) });
}

/**
 * OpenAI's Responses: a whole response, or the items of its `output`; those of type `function_call` are the calls,
 * reasoning and messages are not. null if there is none.
 *
 * Source: https://platform.openai.com/docs/api-reference/responses/object
 */
export function readOpenAiResponses(value: Json): CallElement[] | null {
  if (isObject(value)) {
    if (Array.isArray(value.output)) return readOpenAiResponses(value.output);
    return value.type === 'function_call' ? [itemCall(value)] : null;
  }
  if (!Array.isArray(value)) return null;
  const items = value.filter((item): item is JsonObject => isObject(item) && item.type === 'function_call');
  return items.length > 0 ? items.map(itemCall) : null;
}

function itemCall(item: JsonObject): CallElement {
  return toCallElement({ name: item.name ?? null, arguments: decodedArguments(item.arguments ?? null) });
}

/** The tool calls of a JSON value in any provider's format, or null. */
export function readProvider(value: Json): CallElement[] | null {
  for (const read of PROVIDERS) {
    const calls = read(value);
    if (calls !== null) return calls;
  }
  return null;
}

const PROVIDERS = [readOpenAiChat, readOpenAiResponses, readAnthropic, readGemini, readBedrock];
