import {
  AISDKError,
  APICallError,
  type JSONObject,
  type LanguageModelV3,
  type LanguageModelV3CallOptions,
  type LanguageModelV3Content,
  type LanguageModelV3FunctionTool,
  type LanguageModelV3GenerateResult,
  type LanguageModelV3Message,
  type SharedV3Warning,
} from '@ai-sdk/provider';
import { z } from 'zod';
import { ModelError, readFailure, readNetworkFailure, retryAfterOf, unreadable } from './failures.ts';
import { type Constrain, grammarOf } from './grammar.ts';
import type {
  AssistantPart,
  Completion,
  Message,
  Model,
  ModelRequest,
  ModelTool,
  StopReason,
  Usage,
} from './model.ts';

/** The key and spelling of a provider's own options in the AI SDK. */
export interface ProviderDialect {
  readonly key: string;
  /** Options without a common field in the SDK. */
  readonly options?: (decoding: ModelRequest['decoding']) => JSONObject;
  /** Takes grammars. */
  readonly constrain?: Constrain;
}

export function toCallOptions(
  request: ModelRequest,
  dialect: ProviderDialect,
  abortSignal: AbortSignal,
): LanguageModelV3CallOptions {
  const { prompt, tools, decoding, replySchema } = request;
  const messages: readonly Message[] =
    'text' in prompt ? [{ role: 'user', text: prompt.text }] : prompt.messages;
  const { temperature, top_p, top_k, max_tokens, seed, stop, response_format } = decoding;
  // Some providers reject this option if there are no tools.
  const { parallel_tool_calls: _, ...withoutCalls } = decoding;
  const hasGrammar = replySchema !== undefined && response_format === 'grammar';
  const own = {
    ...dialect.options?.(tools.length > 0 ? decoding : withoutCalls),
    ...(hasGrammar ? jsonObject.parse(dialect.constrain?.({ grammar: grammarOf(replySchema) }) ?? {}) : {}),
  };
  return {
    prompt: messages.map(toMessage),
    abortSignal,
    ...(tools.length > 0 ? { tools: tools.map(toTool), toolChoice: { type: 'auto' } } : {}),
    temperature,
    topP: top_p,
    topK: top_k,
    maxOutputTokens: max_tokens,
    seed,
    stopSequences: stop,
    ...(replySchema !== undefined && !hasGrammar
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

/** Arguments as a JSON object; broken ones become empty, since some servers reject such conversations. */
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

export function fromResult(result: LanguageModelV3GenerateResult): Completion {
  const { content, finishReason, usage, response, warnings } = result;
  const body = reportedIn.safeParse(response?.body);
  return {
    parts: content.flatMap(fromResultToPart),
    stop: isRefusal(finishReason) ? 'refused' : STOPS[finishReason.unified],
    usage: toUsage(usage),
    // Google's package does not report the model version.
    model: response?.modelId ?? (body.success ? (body.data.modelVersion ?? null) : null),
    fingerprint: body.success ? (body.data.system_fingerprint ?? null) : null,
    warnings: warnings.map(warningText),
    holdMs: retryAfterOf(response?.headers ?? {}),
  };
}

/** The SDK conflates refusals and filters; the provider's raw reason distinguishes them. */
function isRefusal({ unified, raw }: LanguageModelV3GenerateResult['finishReason']): boolean {
  return unified === 'content-filter' && (raw === undefined || raw === 'stop' || raw === 'refusal');
}

const STOPS: Readonly<Record<LanguageModelV3GenerateResult['finishReason']['unified'], StopReason>> = {
  stop: 'stop',
  length: 'length',
  'content-filter': 'content_filter',
  'tool-calls': 'calls',
  error: 'other',
  other: 'other',
};

const reportedIn = z.object({ system_fingerprint: z.string().nullish(), modelVersion: z.string().nullish() });

function fromResultToPart(part: LanguageModelV3Content): AssistantPart[] {
  switch (part.type) {
    case 'text':
    case 'reasoning': {
      const metadata = part.providerMetadata === undefined ? {} : { metadata: part.providerMetadata };
      return [{ kind: part.type, text: part.text, ...metadata }];
    }
    case 'tool-call': {
      const { toolCallId: id, toolName: name, input } = part;
      const metadata = part.providerMetadata === undefined ? {} : { metadata: part.providerMetadata };
      return [{ kind: 'call', id, name, arguments: input, ...metadata }];
    }
    // Files, sources and provider-executed tools, none of which was requested.
    default:
      return [];
  }
}

function toUsage({ inputTokens, outputTokens }: LanguageModelV3GenerateResult['usage']): Usage {
  return {
    input: inputTokens.total ?? null,
    output: outputTokens.total ?? null,
    cached_input: inputTokens.cacheRead ?? null,
    cache_write: inputTokens.cacheWrite ?? null,
    reasoning: outputTokens.reasoning ?? null,
  };
}

function warningText(warning: SharedV3Warning): string {
  if (warning.type === 'other') return warning.message;
  return `${warning.type}: ${warning.feature}${warning.details === undefined ? '' : ` (${warning.details})`}`;
}

export function toModelError(error: unknown): ModelError {
  if (APICallError.isInstance(error)) {
    const { statusCode, responseHeaders = {}, responseBody = '', message } = error;
    if (statusCode === undefined) return readNetworkFailure(error);
    // An unreadable 2xx response: truncated, or not JSON.
    if (statusCode < 300) return unreadable(responseBody, statusCode, message);
    return readFailure({ status: statusCode, headers: responseHeaders, body: responseBody || message });
  }
  if (AISDKError.isInstance(error)) {
    const unauthorized = error.name.includes('LoadAPIKey') || error.name.includes('LoadSetting');
    // The SDK's message refers to a function parameter instead.
    if (unauthorized) return new ModelError('unauthorized', 'there is no key', { cause: error });
    return new ModelError('broken_answer', error.message, { cause: error });
  }
  return readNetworkFailure(error);
}

/** A model of the AI SDK, one request at a time, without the retries and loops of its main package. */
export class SdkModel implements Model {
  readonly id: string;
  readonly transport = 'chat';
  readonly constraints: Model['constraints'];
  readonly #model: LanguageModelV3;
  readonly #dialect: ProviderDialect;

  constructor(id: string, model: LanguageModelV3, dialect: ProviderDialect) {
    this.id = id;
    this.#model = model;
    this.#dialect = dialect;
    this.constraints = dialect.constrain === undefined ? ['schema'] : ['schema', 'grammar'];
  }

  async complete(request: ModelRequest, signal: AbortSignal): Promise<Completion> {
    const options = toCallOptions(request, this.#dialect, signal);
    try {
      return fromResult(await this.#model.doGenerate(options));
    } catch (error) {
      signal.throwIfAborted();
      throw toModelError(error);
    }
  }
}
