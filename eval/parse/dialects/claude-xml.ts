import type { CallElement } from '../../calls/agent-call.ts';
import type { Json } from '../../json/lossless.ts';
import { bareValue } from '../named-call.ts';
import type { OfferedTools } from '../parsed-output.ts';
import { before, type Dialect, partsAfter } from './dialect.ts';

/**
 * Claude's legacy XML: `<invoke><tool_name>f</tool_name><parameters><a>1</a></parameters></invoke>`, one element a
 * parameter.
 *
 * Source: https://docs.anthropic.com/en/docs/legacy-tool-use
 */
export const claudeXml: Dialect = {
  rung: 'claude_xml',
  read(output, tools) {
    const calls = [...partsAfter(output, /<tool_name>/g)].map(({ body }) =>
      invokedCall(before(body, '</invoke>'), tools),
    );
    return calls.length > 0 ? calls : null;
  },
};

function invokedCall(body: string, tools?: OfferedTools): CallElement {
  const name = before(body, '</tool_name>').trim();
  const at = body.indexOf('<parameters>');
  const parameters =
    at < 0 ? [] : parameterElements(before(body.slice(at + '<parameters>'.length), '</parameters>'));
  const args = parameters.map(([key, text]): [string, Json] => [
    key,
    bareValue(text.trim(), tools?.get(name)?.properties[key]),
  ]);
  return name === ''
    ? { malformed: body.trim() }
    : { name, arguments: Object.fromEntries(args), label: null };
}

/** `<key>text</key>` one after the other; a text may hold other elements. */
function parameterElements(text: string): [string, string][] {
  const found: [string, string][] = [];
  ELEMENT.lastIndex = 0;
  for (let open = ELEMENT.exec(text); open !== null; open = ELEMENT.exec(text)) {
    const [tag, key = ''] = open;
    const start = open.index + tag.length;
    const end = text.indexOf(`</${key}>`, start);
    found.push([key, text.slice(start, end < 0 ? undefined : end)]);
    if (end < 0) break;
    ELEMENT.lastIndex = end + key.length + 3;
  }
  return found;
}

const ELEMENT = /<([\p{L}_][\p{L}\p{N}_.-]*)>/gu;
