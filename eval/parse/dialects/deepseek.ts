import { namedCall } from '../named-call.ts';
import { before, type Dialect, partsAfter } from './dialect.ts';

/**
 * DeepSeek's own tokens. R1 and V3 write `function<｜tool▁sep｜>name` and a fenced object, V3.1 `name<｜tool▁sep｜>{…}`.
 *
 * Sources: chat templates of deepseek-ai/DeepSeek-R1, DeepSeek-V3-0324 and DeepSeek-V3.1 on Hugging Face.
 */
export const deepseek: Dialect = {
  rung: 'deepseek',
  read(output) {
    const calls = [...partsAfter(output, BEGIN)].map(({ body }) => {
      const [head = '', rest = ''] = split(
        before(body, '<｜tool▁call▁end｜>', '<｜tool▁calls▁end｜>'),
        SEPARATOR,
      );
      if (head.trim() !== 'function') return namedCall(head.trim(), rest);
      const [name, args] = split(rest, '\n');
      return namedCall(name.trim(), args);
    });
    return calls.length > 0 ? calls : null;
  },
};

const BEGIN = /<｜tool▁call▁begin｜>/g;
const SEPARATOR = '<｜tool▁sep｜>';

function split(text: string, at: string): [string, string] {
  const index = text.indexOf(at);
  return index < 0 ? [text, ''] : [text.slice(0, index), text.slice(index + at.length)];
}
