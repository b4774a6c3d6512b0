import type {
  LanguageModelV3Content,
  LanguageModelV3GenerateResult,
  SharedV3Warning,
} from '@ai-sdk/provider';
import { z } from 'zod';
import type { AssistantPart } from '../../model/message.ts';
import type { Completion, StopReason, Usage } from '../../model/model.ts';
import { retryAfterOf } from '../hold-ms.ts';

/** What the SDK gives as a completion. */
export function fromResult(result: LanguageModelV3GenerateResult): Completion {
  const { content, finishReason, usage, response, warnings } = result;
  const body = reportedIn.safeParse(response?.body);
  return {
    parts: content.flatMap(toPart),
    stop: isRefusal(finishReason) ? 'refused' : STOPS[finishReason.unified],
    usage: toUsage(usage),
    // Google's package does not say which version answered.
    model: response?.modelId ?? (body.success ? (body.data.modelVersion ?? null) : null),
    fingerprint: body.success ? (body.data.system_fingerprint ?? null) : null,
    warnings: warnings.map(warningText),
    holdMs: retryAfterOf(response?.headers ?? {}),
  };
}

/** The SDK makes one of a model that refuses and of a filter; what the provider itself said tells them apart. */
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

function toPart(part: LanguageModelV3Content): AssistantPart[] {
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
    // Files, sources and tools that the provider runs by itself: none was asked for.
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
