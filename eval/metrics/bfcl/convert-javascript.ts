import type { Json } from '../../json/lossless.ts';
import { looseScalar, pythonFloat, pythonInteger } from './source-values.ts';

/**
 * The value of a JavaScript expression as BFCL's JavaScript converter reads it, by type; a text that does not have
 * the type's form stays a text.
 *
 * @param type a type that `bfclType` knows for JavaScript.
 * @param nested the type of the elements, for arrays.
 */
export function convertJavascript(source: string, type: string, nested: string | null): Json {
  switch (type) {
    case 'String':
      return isQuoted(source) ? source.slice(1, -1) : source;
    case 'integer':
      return /^-?\d+\n?$/.test(source) ? pythonInteger(source) : source;
    case 'float':
      return /^-?\d+(?:\.\d+)?\n?$/.test(source) ? pythonFloat(source) : source;
    case 'Bigint':
      return /^-?\d+n\n?$/.test(source) ? pythonInteger(source.replace(/n\n?$/, '')) : source;
    case 'Boolean':
      return source === 'true' || (source === 'false' ? false : source);
    case 'array':
      return convertArray(source.trim(), nested);
    case 'dict':
      return convertObject(source.trim());
    default:
      return source;
  }
}

/** `[1, 2]`, `new Array(1, 2)`, and lists of lists; elements are separated by commas. */
function convertArray(code: string, nested: string | null): Json {
  const table = readTable(code);
  if (table !== null) return table;
  const [, literal, constructed] = /^(?:\[(.*?)\]|new\s+Array\((.*?)\))/.exec(code) ?? [];
  const content = (literal ?? constructed)?.trim();
  if (content === undefined) return code;
  const items = content === '' ? [] : content.split(',').map((item) => item.trim());
  return items.map((item) => {
    if (nested === null) return scalar(item);
    return convertJavascript(item, nested, /^["']/.test(item) ? 'String' : null);
  });
}

/** A list of lists up to the first two brackets that close together, or null. Rows are the parts between brackets. */
function readTable(code: string): Json | null {
  const opening = /^(?:\[|new\s+Array\()\s*\[/.exec(code);
  if (opening === null) return null;
  const end = endOfTable(code, opening[0].length, opening[0].startsWith('[') ? ']' : ')');
  if (end === null) return null;
  const rows = [...code.slice(0, end).matchAll(/\[(.*?)\]/g)].map(([, row = '']) => row.trim());
  return rows.map((row, i) =>
    (i === 0 && row.startsWith('[') ? row.slice(1) : row).split(',').map((item) => scalar(item.trim())),
  );
}

/** Behind the first `]` that the closing bracket follows; a row may not contain a line end. */
function endOfTable(code: string, from: number, closing: string): number | null {
  for (let at = from; at < code.length; ) {
    const char = code[at];
    if (char === '\n') return null;
    at++;
    if (char !== ']') continue;
    const [blanks = ''] = /^\s*/.exec(code.slice(at)) ?? [];
    if (code[at + blanks.length] === closing) return at + blanks.length + 1;
    const [next] = /^\s*,\s*\[/.exec(code.slice(at)) ?? [];
    if (next !== undefined) at += next.length;
  }
  return null;
}

/** `{a: 1, 'b': [2]}` up to the first closing brace. */
function convertObject(code: string): Json {
  if (code === '{}') return {};
  const content = /^\{(.*?)\}/.exec(code)?.[1];
  if (content === undefined) return code;
  const pairs = [...content.matchAll(/([^:]+):\s*(.*?)(?:,\s*(?=[^,]+:)|$)/g)];
  return Object.fromEntries(
    pairs.map(([, key = '', text = '']): [string, Json] => [
      stripQuotes(key.trim()),
      memberValue(text.trim()),
    ]),
  );
}

function memberValue(text: string): Json {
  if (text.startsWith('[') && text.endsWith(']')) return convertArray(text, null);
  if (text.startsWith('{') && text.endsWith('}')) return convertObject(text);
  // Without its quotes, so that a text of digits becomes a number.
  return scalar(stripQuotes(text));
}

function scalar(source: string): Json {
  const text = source.trim();
  if (text === 'true' || text === 'false') return text === 'true';
  return isQuoted(text) ? text.slice(1, -1) : looseScalar(text);
}

function isQuoted(text: string): boolean {
  return ['"', "'"].some((quote) => text.startsWith(quote) && text.endsWith(quote));
}

function stripQuotes(text: string): string {
  return text.replace(/^['"]+|['"]+$/g, '');
}
