import { namedCall } from '../named-call.ts';
import { before, type Dialect, partsAfter } from './dialect.ts';

/**
 * Qwen2's older form, that of Qwen-Agent: `✿FUNCTION✿: name`, `✿ARGS✿: {…}`, and `✿RESULT✿` after it.
 *
 * Source: https://github.com/QwenLM/Qwen-Agent, qwen_agent/llm/fncall_prompts/qwen_fncall_prompt.py
 */
export const qwen2: Dialect = {
  rung: 'qwen2',
  read(output) {
    const calls = [...partsAfter(output, /✿FUNCTION✿\s*:/g)].map(({ body }) => {
      const name = before(body, '✿ARGS✿').trim();
      const at = body.indexOf('✿ARGS✿');
      const args = at < 0 ? '' : before(body.slice(at + '✿ARGS✿'.length), '✿').replace(/^\s*:/, '');
      return namedCall(name, args);
    });
    return calls.length > 0 ? calls : null;
  },
};
