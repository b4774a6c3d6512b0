import type { AssistantPart } from '../../../runner/models/model.ts';
import type { Wire } from './wire-request.ts';

/** A reply as each API writes it. */
export function writeWire(wire: Wire, parts: readonly AssistantPart[]): object {
  return WRITERS[wire](parts);
}

const text = (parts: readonly AssistantPart[]) =>
  parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');
const calls = (parts: readonly AssistantPart[]) => parts.filter((part) => part.kind === 'call');
const [INPUT, OUTPUT] = [120, 15];

const WRITERS: Readonly<Record<Wire, (parts: readonly AssistantPart[]) => object>> = {
  chat: (parts) => ({
    id: 'c1',
    object: 'chat.completion',
    created: 1,
    model: 'scripted-1',
    system_fingerprint: 'fp_1',
    choices: [
      {
        index: 0,
        finish_reason: calls(parts).length > 0 ? 'tool_calls' : 'stop',
        message: {
          role: 'assistant',
          content: text(parts) || null,
          ...(calls(parts).length > 0
            ? {
                tool_calls: calls(parts).map(({ id, name, arguments: args }) => ({
                  id,
                  type: 'function',
                  function: { name, arguments: args },
                })),
              }
            : {}),
        },
      },
    ],
    usage: {
      prompt_tokens: INPUT,
      completion_tokens: OUTPUT,
      total_tokens: INPUT + OUTPUT,
      prompt_tokens_details: { cached_tokens: 100 },
      completion_tokens_details: { reasoning_tokens: 5 },
    },
  }),
  completions: (parts) => ({
    id: 'c1',
    object: 'text_completion',
    created: 1,
    model: 'scripted-1',
    choices: [{ index: 0, text: text(parts), finish_reason: 'stop', logprobs: null }],
    usage: { prompt_tokens: INPUT, completion_tokens: OUTPUT, total_tokens: INPUT + OUTPUT },
  }),
  responses: (parts) => ({
    id: 'resp_1',
    object: 'response',
    created_at: 1,
    status: 'completed',
    model: 'scripted-1',
    output: [
      ...calls(parts).map(({ id, name, arguments: args }) => ({
        type: 'function_call',
        id: `fc_${id}`,
        call_id: id,
        name,
        arguments: args,
        status: 'completed',
      })),
      ...(text(parts) === ''
        ? []
        : [
            {
              type: 'message',
              id: 'msg_1',
              role: 'assistant',
              status: 'completed',
              content: [{ type: 'output_text', text: text(parts), annotations: [] }],
            },
          ]),
    ],
    usage: {
      input_tokens: INPUT,
      input_tokens_details: { cached_tokens: 100 },
      output_tokens: OUTPUT,
      output_tokens_details: { reasoning_tokens: 5 },
    },
  }),
  anthropic: (parts) => ({
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'scripted-1',
    content: [
      ...(text(parts) === '' ? [] : [{ type: 'text', text: text(parts) }]),
      ...calls(parts).map(({ id, name, arguments: args }) => ({
        type: 'tool_use',
        id,
        name,
        input: parse(args),
      })),
    ],
    stop_reason: calls(parts).length > 0 ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    usage: {
      input_tokens: INPUT - 100,
      output_tokens: OUTPUT,
      cache_read_input_tokens: 100,
      cache_creation_input_tokens: 0,
    },
  }),
  google: (parts) => ({
    modelVersion: 'scripted-1',
    candidates: [
      {
        index: 0,
        finishReason: 'STOP',
        content: {
          role: 'model',
          parts: [
            ...(text(parts) === '' ? [] : [{ text: text(parts) }]),
            ...calls(parts).map(({ name, arguments: args }) => ({
              functionCall: { name, args: parse(args) },
            })),
          ],
        },
      },
    ],
    usageMetadata: {
      promptTokenCount: INPUT,
      candidatesTokenCount: OUTPUT - 5,
      thoughtsTokenCount: 5,
      cachedContentTokenCount: 100,
      totalTokenCount: INPUT + OUTPUT,
    },
  }),
};

function parse(args: string): unknown {
  try {
    return JSON.parse(args);
  } catch {
    return {};
  }
}
