import type { CallElement } from '../../calls/agent-call.ts';
import type { Json } from '../../json/lossless.ts';
import { bareValue, namedCall } from '../named-call.ts';
import type { OfferedTools } from '../parsed-output.ts';
import { before, type Dialect, partsAfter } from './dialect.ts';

/**
 * DSML of DeepSeek V3.2 and later: `<｜DSML｜invoke name="f"><｜DSML｜parameter name="a" string="true">x</｜DSML｜parameter>`;
 * `string="false"` says that the text is JSON.
 *
 * Source: encoding/README.md of deepseek-ai/DeepSeek-V3.2 on Hugging Face.
 */
export const dsml: Dialect = {
  rung: 'dsml',
  read(output, tools) {
    const calls = [...partsAfter(output, INVOKE)].map(({ match, body }) =>
      invokedCall(match[1] ?? '', body, tools),
    );
    return calls.length > 0 ? calls : null;
  },
};

function invokedCall(name: string, text: string, tools?: OfferedTools): CallElement {
  const body = before(text, '</｜DSML｜invoke>');
  const parameters = [...partsAfter(body, PARAMETER)].map(({ match, body: value }): [string, Json] => {
    const [, key = '', isText] = match;
    const content = before(value, '</｜DSML｜parameter>');
    return [key, isText === 'true' ? content : bareValue(content.trim(), tools?.get(name)?.properties[key])];
  });
  return parameters.length === 0
    ? namedCall(name, body)
    : { name, arguments: Object.fromEntries(parameters), label: null };
}

const INVOKE = /<｜DSML｜invoke\s+name="([^"<>]*)"\s*>/g;
const PARAMETER = /<｜DSML｜parameter\s+name="([^"<>]*)"(?:\s+string="(true|false)")?\s*>/g;
