import type { CallElement } from '../../calls/agent-call.ts';
import type { Json } from '../../json/lossless.ts';
import { tryLiteral } from '../named-call.ts';
import { before, type Dialect, partsAfter } from './dialect.ts';

/**
 * BFCL's two XML formats: `<functions><function name="f"><params><param name="a" value="1" type="integer"/>` (verbose)
 * and `<param name="a" type="integer">1</param>` (concise). The type says how the text is read.
 *
 * Source: `bfcl_eval/constants/default_prompts.py` of ShishirPatil/gorilla.
 */
export const bfclXml: Dialect = {
  rung: 'bfcl_xml',
  read(output) {
    if (!output.includes('<functions>')) return null;
    const body = before(output.slice(output.indexOf('<functions>')), '</functions>');
    const calls = [...partsAfter(body, FUNCTION)].map(({ match, body: text }): CallElement => {
      const name = decodeEntities(match[1] ?? '');
      return { name, arguments: Object.fromEntries(parameters(before(text, '</function>'))), label: null };
    });
    return calls.length > 0 ? calls : null;
  },
};

function parameters(text: string): [string, Json][] {
  return [...partsAfter(text, PARAM)].map(({ match, body }) => {
    const [, head = '', selfClosing] = match;
    const attributes = new Map(
      [...head.matchAll(ATTRIBUTE)].map(([, key = '', a, b]) => [key, decodeEntities(a ?? b ?? '')]),
    );
    const content = selfClosing === '/' ? '' : decodeEntities(before(body, '</param>')).trim();
    return [
      attributes.get('name') ?? '',
      typed(attributes.get('value') ?? content, attributes.get('type') ?? 'string'),
    ];
  });
}

function typed(text: string, type: string): Json {
  if (type === 'boolean') return text.toLowerCase() === 'true';
  if (type === 'null') return null;
  return LITERAL_TYPES.has(type) ? (tryLiteral(text) ?? text) : text;
}

function decodeEntities(text: string): string {
  return text.replace(/&(?:(lt|gt|amp|quot|apos)|#(\d{1,5}));/g, (_, name?: string, code?: string) =>
    name === undefined ? String.fromCodePoint(Number(code)) : (ENTITIES.get(name) as string),
  );
}

const FUNCTION = /<function\s+name="([^"<>]*)"\s*>/g;
const PARAM = /<param(?=\s)((?:\s+[\w-]+\s*=\s*(?:"[^"]*"|'[^']*')){0,8})\s*(\/?)>/g;
const ATTRIBUTE = /([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
const LITERAL_TYPES = new Set(['integer', 'float', 'number', 'array', 'tuple', 'dict', 'object']);
const ENTITIES = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['quot', '"'],
  ['apos', "'"],
]);
