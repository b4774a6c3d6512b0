import { type CallElement, toCallElement } from '../../calls/agent-call.ts';
import { isObject, type Json, type JsonObject } from '../../json/lossless.ts';
import { decodedArguments } from '../decoded-arguments.ts';

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
