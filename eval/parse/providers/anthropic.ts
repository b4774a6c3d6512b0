import { type CallElement, toCallElement } from '../../calls/agent-call.ts';
import { isObject, type Json, type JsonObject } from '../../json/lossless.ts';

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
