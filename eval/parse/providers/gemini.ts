import { type CallElement, toCallElement } from '../../calls/agent-call.ts';
import { isObject, type Json, type JsonObject } from '../../json/lossless.ts';

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
