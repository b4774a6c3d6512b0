import { namedCall } from '../named-call.ts';
import type { Dialect } from './dialect.ts';

/**
 * The whole output is a name and, on the next line, the object of its arguments: GLM-4, and Functionary v3 where the
 * prompt ends with its `>>>`.
 *
 * Source: chat template of THUDM/glm-4-9b-chat on Hugging Face.
 */
export const nameAndJson: Dialect = {
  rung: 'name_and_json',
  read(output) {
    const [whole, name] = HEAD.exec(output) ?? [];
    if (whole === undefined || name === undefined) return null;
    const call = namedCall(name, output.slice(whole.length));
    return 'malformed' in call ? null : [call];
  },
};

const HEAD = /^\s*([\p{L}_][\p{L}\p{M}\p{N}_.-]*)[ \t]*\r?\n\s*(?=\{)/u;
