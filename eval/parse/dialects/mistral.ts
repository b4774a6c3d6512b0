import type { CallElement } from '../../calls/agent-call.ts';
import { namedCall, tryLiteral } from '../named-call.ts';
import { readLoosely } from '../normalize.ts';
import { type Dialect, partsAfter } from './dialect.ts';

/**
 * Mistral's tokens: `[TOOL_CALLS][{…}]` up to tokenizer v7, `[TOOL_CALLS]name{…}` and `[TOOL_CALLS]name[ARGS]{…}` from
 * v11, `[TOOL_CALLS]name[CALL_ID]id[ARGS]{…}` in between. Where special tokens were cut, `name[ARGS]{…}` is left.
 *
 * Source: https://github.com/mistralai/mistral-common, src/mistral_common/tokens/tokenizers/instruct.py
 */
export const mistral: Dialect = {
  rung: 'mistral',
  read(output) {
    if (!output.includes(CALLS) && !output.includes(ARGS)) return null;
    const parts = output.includes(CALLS)
      ? [...partsAfter(output, /\[TOOL_CALLS\]/g)].map(({ body }) => body.trim())
      : [output.trim()];
    const calls = parts.flatMap(readPart);
    return calls.length > 0 ? calls : null;
  },
};

function readPart(part: string): readonly CallElement[] {
  const head = HEAD.exec(part);
  if (head !== null) {
    const [whole, name = ''] = head;
    return [namedCall(name, part.slice(whole.length))];
  }
  const value = tryLiteral(part);
  return value === undefined ? [] : (readLoosely(value)?.calls ?? []);
}

const CALLS = '[TOOL_CALLS]';
const ARGS = '[ARGS]';
const HEAD = /^([\p{L}_][\p{L}\p{M}\p{N}_.-]*)\s*(?:\[CALL_ID\]\s*(?:[\w-]+\s*)?)?(?:\[ARGS\]\s*|(?=\{))/u;
