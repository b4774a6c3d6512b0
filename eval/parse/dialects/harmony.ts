import type { CallElement } from '../../calls/agent-call.ts';
import { namedCall } from '../named-call.ts';
import { before, type Dialect, partsAfter } from './dialect.ts';

/**
 * Harmony, the format of gpt-oss: messages `<|start|>assistant<|channel|>commentary to=functions.f <|constrain|>json
 * <|message|>{…}<|call|>`. A message to a recipient is a call; the recipient may also stand before the channel.
 *
 * Source: https://cookbook.openai.com/articles/openai-harmony
 */
export const harmony: Dialect = {
  rung: 'harmony',
  read(output) {
    const calls = messagesOf(output).flatMap(({ header, body }): CallElement[] => {
      const recipient = RECIPIENT.exec(header)?.[1];
      return recipient === undefined ? [] : [namedCall(recipient.replace(/^functions\./, ''), body)];
    });
    return calls.length > 0 ? calls : null;
  },
};

/** What is said on the final channel, where the output is in this format; what is thought aloud is not. */
export function harmonyAnswer(output: string): string | null {
  if (!output.includes(MESSAGE)) return null;
  return messagesOf(output)
    .filter(({ header }) => !/<\|channel\|>\s*(?:analysis|commentary)/.test(header))
    .map(({ body }) => body)
    .join('\n');
}

function messagesOf(output: string): { header: string; body: string }[] {
  const starts = output.startsWith('<|start|>') ? output : `<|start|>${output}`;
  return [...partsAfter(starts, /<\|start\|>/g)].flatMap(({ body }) => {
    const at = body.indexOf(MESSAGE);
    if (at < 0) return [];
    return [
      {
        header: body.slice(0, at),
        body: before(body.slice(at + MESSAGE.length), '<|call|>', '<|end|>', '<|return|>'),
      },
    ];
  });
}

const MESSAGE = '<|message|>';
const RECIPIENT = /\bto=([\p{L}\p{N}_.-]+)/u;
