import { type CallElement, toCallElement } from '../../calls/agent-call.ts';
import { isObject, type Json, type JsonObject } from '../../json/lossless.ts';
import { decodedArguments } from '../decoded-arguments.ts';

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

/** The message of a response, or the value where it is the message itself. */
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
