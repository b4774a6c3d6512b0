import type { CallElement } from '../../calls/agent-call.ts';
import type { Json } from '../../json/lossless.ts';
import { bareValue } from '../named-call.ts';
import type { OfferedTools } from '../parsed-output.ts';
import { before, type Dialect, partsAfter } from './dialect.ts';

/**
 * GLM-4.5 and later: `<tool_call>name`, then `<arg_key>a</arg_key><arg_value>1</arg_value>` pairs; line ends between
 * them are optional from 4.7 on. A value is JSON or a bare text.
 *
 * Source: chat template of zai-org/GLM-4.5 on Hugging Face.
 */
export const glm: Dialect = {
  rung: 'glm',
  read(output, tools) {
    if (!output.includes('<arg_key>')) return null;
    const calls = [...partsAfter(output, /<tool_call>/g)].map(({ body }) =>
      pairedCall(before(body, '</tool_call>'), tools),
    );
    return calls.length > 0 ? calls : null;
  },
};

function pairedCall(body: string, tools?: OfferedTools): CallElement {
  const name = before(body, '<arg_key>').trim();
  const pairs = [...partsAfter(body, /<arg_key>/g)].flatMap(({ body: pair }): [string, Json][] => {
    const key = before(pair, '</arg_key>').trim();
    const at = pair.indexOf('<arg_value>');
    if (at < 0) return [];
    const value = before(pair.slice(at + '<arg_value>'.length), '</arg_value>').replace(/^\n|\n$/g, '');
    return [[key, bareValue(value, tools?.get(name)?.properties[key])]];
  });
  return /\s/.test(name) || name === ''
    ? { malformed: body.trim() }
    : { name, arguments: Object.fromEntries(pairs), label: null };
}
