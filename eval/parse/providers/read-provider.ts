import type { CallElement } from '../../calls/agent-call.ts';
import type { Json } from '../../json/lossless.ts';
import { readAnthropic } from './anthropic.ts';
import { readBedrock } from './bedrock.ts';
import { readGemini } from './gemini.ts';
import { readOpenAiChat } from './openai-chat.ts';
import { readOpenAiResponses } from './openai-responses.ts';

/** The tool calls of a JSON value that is in some provider's own format, or null if it is in none. */
export function readProvider(value: Json): CallElement[] | null {
  for (const read of PROVIDERS) {
    const calls = read(value);
    if (calls !== null) return calls;
  }
  return null;
}

const PROVIDERS = [readOpenAiChat, readOpenAiResponses, readAnthropic, readGemini, readBedrock];
