import type { CallElement } from '../../calls/agent-call.ts';
import { namedCall } from '../named-call.ts';
import { before, type Dialect, partsAfter } from './dialect.ts';

/**
 * Functionary: messages to recipients. v3 writes `>>>name` and the object on the next line, v2
 * `<|recipient|>name<|content|>{…}`; what is for `all` is prose. v3.1's `<function=name>` is read as an element.
 *
 * Source: https://github.com/MeetKai/functionary, functionary/prompt_template
 */
export const functionary: Dialect = {
  rung: 'functionary',
  read(output) {
    const calls = [...partsAfter(output, RECIPIENT)].flatMap(({ match, body }): CallElement[] => {
      const name = match[1] ?? match[2] ?? '';
      if (name === 'all') return [];
      return [
        namedCall(name, before(body, '<|from|>', '<|stop|>', '<|eot_id|>').replace(/^\s*<\|content\|>/, '')),
      ];
    });
    return calls.length > 0 ? calls : null;
  },
};

const RECIPIENT =
  /(?:^|\n)>>>([\p{L}_][\p{L}\p{M}\p{N}_.-]*)(?=\r?\n)|<\|recipient\|>\s*([\p{L}_][\p{L}\p{M}\p{N}_.-]*)/gu;
