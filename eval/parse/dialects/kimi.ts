import { namedCall } from '../named-call.ts';
import { before, type Dialect, partsAfter } from './dialect.ts';

/**
 * Kimi K2: `<|tool_call_begin|>functions.name:0<|tool_call_argument_begin|>{…}<|tool_call_end|>`. The id names the tool.
 *
 * Source: docs/tool_call_guidance.md of moonshotai/Kimi-K2-Instruct on Hugging Face.
 */
export const kimi: Dialect = {
  rung: 'kimi',
  read(output) {
    const calls = [...partsAfter(output, BEGIN)].flatMap(({ body }) => {
      const at = body.indexOf(ARGUMENTS);
      if (at < 0) return [];
      const name = body
        .slice(0, at)
        .trim()
        .replace(/^functions\./, '')
        .replace(/:\d+$/, '');
      return [
        namedCall(
          name,
          before(body.slice(at + ARGUMENTS.length), '<|tool_call_end|>', '<|tool_calls_section_end|>'),
        ),
      ];
    });
    return calls.length > 0 ? calls : null;
  },
};

const BEGIN = /<\|tool_call_begin\|>/g;
const ARGUMENTS = '<|tool_call_argument_begin|>';
