import type {
  JSONObject,
  LanguageModelV3CallOptions,
  LanguageModelV3FunctionTool,
  LanguageModelV3Message,
} from '@ai-sdk/provider';
import { z } from 'zod';
import type { AssistantPart, Message } from '../../model/message.ts';
import type { ModelRequest, ModelTool } from '../../model/model.ts';

/** The name under which a provider of the SDK looks for options of its own, and how it spells them. */
export interface ProviderDialect {
  readonly key: string;
  /** Options that the SDK has no common field for. */
  readonly options?: (decoding: ModelRequest['decoding']) => JSONObject;
}

/** A request as the SDK takes it. */
export function toCallOptions(
  request: ModelRequest,
  dialect: ProviderDialect,
  abortSignal: AbortSignal,
): LanguageModelV3CallOptions {
  const { prompt, tools, decoding, replySchema } = request;
  const messages: readonly Message[] =
    'text' in prompt ? [{ role: 'user', text: prompt.text }] : prompt.messages;
  const { temperature, top_p, top_k, max_tokens, seed, stop, response_format } = decoding;
  // Some refuse a word about calls where there are no tools.
  const { parallel_tool_calls: _, ...withoutCalls } = decoding;
  const own = dialect.options?.(tools.length > 0 ? decoding : withoutCalls) ?? {};
  return {
    prompt: messages.map(toMessage),
    abortSignal,
    ...(tools.length > 0 ? { tools: tools.map(toTool), toolChoice: { type: 'auto' } } : {}),
    ...(temperature === undefined ? {} : { temperature }),
    ...(top_p === undefined ? {} : { topP: top_p }),
    ...(top_k === undefined ? {} : { topK: top_k }),
    ...(max_tokens === undefined ? {} : { maxOutputTokens: max_tokens }),
    ...(seed === undefined ? {} : { seed }),
    ...(stop === undefined ? {} : { stopSequences: stop }),
    ...(replySchema !== undefined
      ? { responseFormat: { type: 'json', name: 'reply', schema: schema.parse(replySchema) } }
      : response_format === 'json'
        ? { responseFormat: { type: 'json' } }
        : {}),
    ...(Object.keys(own).length > 0 ? { providerOptions: { [dialect.key]: own } } : {}),
  };
}

function toMessage(message: Message): LanguageModelV3Message {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.text };
    case 'user':
      return { role: 'user', content: [{ type: 'text', text: message.text }] };
    case 'assistant':
      return { role: 'assistant', content: message.parts.map(toPart) };
    case 'tool':
      return {
        role: 'tool',
        content: message.results.map(({ id, name, text, failed }) => ({
          type: 'tool-result',
          toolCallId: id,
          toolName: name,
          output: { type: failed ? 'error-text' : 'text', value: text },
        })),
      };
  }
}

function toPart(part: AssistantPart) {
  const options = part.metadata === undefined ? {} : { providerOptions: part.metadata };
  if (part.kind === 'call') {
    const { id, name } = part;
    return {
      type: 'tool-call' as const,
      toolCallId: id,
      toolName: name,
      input: objectIn(part.arguments),
      ...options,
    };
  }
  return { type: part.kind, text: part.text, ...options };
}

/**
 * Arguments as a server can read them again. Broken ones, sent back as they are, make some servers refuse the
 * conversation for ever; the result of the call tells the model what was wrong.
 */
function objectIn(text: string): JSONObject {
  try {
    const read = jsonObject.safeParse(JSON.parse(text));
    return read.success ? read.data : {};
  } catch {
    return {};
  }
}

const jsonObject = z.custom<JSONObject>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
);

function toTool({ name, description, parameters }: ModelTool): LanguageModelV3FunctionTool {
  const inputSchema = schema.parse(parameters);
  return { type: 'function', name, inputSchema, ...(description === '' ? {} : { description }) };
}

const schema = z.custom<LanguageModelV3FunctionTool['inputSchema']>((value) => typeof value === 'object');
