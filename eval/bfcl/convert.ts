import { LosslessNumber } from 'lossless-json';
import { type Json, toNumber } from '../json/lossless.ts';
import type { PythonType } from '../json/python.ts';

/** A function as described in BFCL's question files. */
export interface BfclFunction {
  readonly name: string;
  readonly description?: string;
  readonly parameters: {
    readonly type: 'dict';
    readonly properties: Readonly<Record<string, BfclProperty>>;
    readonly required: readonly string[];
  };
}

export interface BfclProperty {
  readonly type: string;
  readonly description?: string;
  readonly enum?: readonly Json[];
  readonly default?: Json;
  readonly items?: { readonly type: string };
}

/** A gold call in BFCL's answer files: the acceptable values of each parameter, with `""` if it is optional. */
export interface BfclAnswer {
  readonly name: string;
  readonly parameters: Readonly<Record<string, readonly Json[]>>;
}

/** A check's verdict; error types are spelled as in BFCL's score files. */
export type BfclVerdict = { readonly valid: true } | { readonly valid: false; readonly errorType: string };

export const VALID: BfclVerdict = { valid: true };

export function invalid(errorType: string): BfclVerdict {
  return { valid: false, errorType };
}

/** The language of a BFCL category, which determines schema types and the syntax of values. */
export type BfclLanguage = 'python' | 'java' | 'javascript';

/** The Python type of a schema type; null if BFCL does not know it or cannot convert to it. */
export function bfclType(schemaType: string, language: BfclLanguage): PythonType | null {
  return TYPES[language].get(schemaType) ?? null;
}

/** Whether the type's elements have a type of their own. */
export function hasItems(schemaType: string, language: BfclLanguage): boolean {
  return NESTED[language].has(schemaType);
}

/** BFCL's schema types and their Python types; on other types, BFCL's own evaluation crashes. */
const TYPES: Readonly<Record<BfclLanguage, ReadonlyMap<string, PythonType>>> = {
  python: new Map([
    ['string', 'str'],
    ['integer', 'int'],
    ['float', 'float'],
    ['boolean', 'bool'],
    ['array', 'list'],
    ['tuple', 'list'],
    ['dict', 'dict'],
    ['any', 'str'],
  ]),
  // BFCL knows Set, Hashtable, Queue and Stack, but has no conversion to them.
  java: new Map([
    ['byte', 'int'],
    ['short', 'int'],
    ['integer', 'int'],
    ['long', 'int'],
    ['float', 'float'],
    ['double', 'float'],
    ['boolean', 'bool'],
    ['char', 'str'],
    ['Array', 'list'],
    ['ArrayList', 'list'],
    ['HashMap', 'dict'],
    ['String', 'str'],
    ['any', 'str'],
  ]),
  javascript: new Map([
    ['String', 'str'],
    ['integer', 'int'],
    ['float', 'float'],
    ['Bigint', 'int'],
    ['Boolean', 'bool'],
    ['dict', 'dict'],
    ['array', 'list'],
    ['any', 'str'],
  ]),
};

const NESTED: Readonly<Record<BfclLanguage, ReadonlySet<string>>> = {
  python: new Set(['array', 'tuple']),
  java: new Set(['Array', 'ArrayList']),
  javascript: new Set(['array']),
};

/** Python's `int(text)` for digits. */
export function pythonInteger(text: string): Json {
  return toNumber(String(BigInt(text.trim().replaceAll('_', ''))));
}

/** Python's `float(text)` for a number: it stays a float, even without a fraction. */
export function pythonFloat(text: string): Json {
  const digits = text.trim().replace(/^\+/, '').replaceAll('_', '');
  return new LosslessNumber(/^-?\d+$/.test(digits) ? `${digits}.0` : digits);
}

/** Python's `int(text)`, else `float(text)`, else the text. */
export function looseScalar(text: string): Json {
  if (/^\s*[+-]?\d+(?:_\d+)*\s*$/.test(text)) return pythonInteger(text.trim().replace(/^\+/, ''));
  return REAL.test(text) ? pythonFloat(text) : text;
}

const REAL = /^\s*[+-]?(?:\d+(?:_\d+)*\.?(?:\d+(?:_\d+)*)?|\.\d+(?:_\d+)*)(?:[eE][+-]?\d+)?\s*$/;

/**
 * The value of a Java expression as BFCL's Java converter reads it: only the forms in its questions, by type.
 * A text of any other form stays a text.
 * @param type a type that `bfclType` knows for Java.
 * @param nested the element type, for Array and ArrayList.
 */
export function convertJava(source: string, type: string, nested: string | null): Json {
  switch (type) {
    case 'byte':
    case 'short':
    case 'integer':
      return /^-?\d+\n?$/.test(source) ? pythonInteger(source) : source;
    case 'long':
      return LONG.test(source) ? pythonInteger(source.replace(/[lL]\n?$/, '')) : source;
    case 'float':
      return FLOAT.test(source) ? pythonFloat(source.replace(/[fF]\n?$/, '')) : source;
    case 'double':
      return DOUBLE.test(source) ? pythonFloat(source) : source;
    case 'boolean':
      return source === 'true' || (source === 'false' ? false : source);
    case 'Array':
      return convertArray(source, nested);
    case 'ArrayList':
      return convertArrayList(source, nested);
    case 'HashMap':
      return convertHashMap(source);
    default:
      return source;
  }
}

/** `new int[]{1, 2}` */
function convertArray(source: string, nested: string | null): Json {
  const content = /new\s+\w+\[\]\s*\{(.*?)\}/.exec(source)?.[1];
  if (content === undefined) return source;
  const items = content.split(',').map((item) => item.trim());
  return items
    .filter((item) => item !== '')
    .map((item) => (nested === null ? scalar(item) : convertJava(item, nested, null)));
}

/** `new ArrayList<>(Arrays.asList(1, 2))`, `new ArrayList<>() {{ add(1); add(2); }}`, `new ArrayList<>()` */
function convertArrayList(source: string, nested: string | null): Json {
  const element = (text: string): Json => {
    // The first and last characters are removed, whatever they are.
    if (nested === 'char' || nested === 'String') return text.slice(1, -1);
    return nested === null ? scalar(text) : convertJava(text, nested, null);
  };
  const listed = /new\s+ArrayList<\w*>\(Arrays\.asList\((.+?)\)\)/.exec(source)?.[1];
  if (listed !== undefined) return listed.split(',').map((item) => element(item.trim()));
  const added = /new\s+ArrayList<\w*>\(\)\s*\{\{\s*([\s\S]+?)\s*\}\}/.exec(source)?.[1];
  if (added !== undefined)
    return [...added.matchAll(/add\((.+?)\)/g)].map(([, item = '']) => element(item.trim()));
  return /new\s+ArrayList<\w*>\(\)/.test(source) ? [] : source;
}

/** `new HashMap<>() {{ put("a", 1); }}`, `new HashMap<>()` */
function convertHashMap(source: string): Json {
  const content = /new\s+HashMap<.*?>\s*\(\)\s*\{\s*\{?\s*([\s\S]*?)\s*\}?\s*\}/.exec(source)?.[1];
  if (content === undefined) return /new\s+HashMap<.*?>\s*\(\)/.test(source) ? {} : source;
  const puts = [...content.matchAll(/put\("(.*?)",\s*(.*?)\)/g)];
  return Object.fromEntries(
    puts.map(([, key = '', value = '']): [string, Json] => [key, scalar(value.trim())]),
  );
}

function scalar(text: string): Json {
  if (text === 'true' || text === 'false') return text === 'true';
  if (text.startsWith('"') && text.endsWith('"')) return text.slice(1, -1);
  if (LONG.test(text)) return pythonInteger(text.slice(0, -1));
  if (FLOAT.test(text)) return pythonFloat(text.replace(/[fF]$/, ''));
  return looseScalar(text);
}

const LONG = /^-?\d+[lL]\n?$/;
const FLOAT = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?[fF]\n?$/;
const DOUBLE = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?\n?$/;

/**
 * The value of a JavaScript expression as BFCL's JavaScript converter reads it, by type. A text of any other
 * form stays a text.
 * @param type a type that `bfclType` knows for JavaScript.
 * @param nested the element type, for arrays.
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
      return convertJavascriptConvertArray(source.trim(), nested);
    case 'dict':
      return convertObject(source.trim());
    default:
      return source;
  }
}

/** `[1, 2]`, `new Array(1, 2)`, and nested lists; elements are separated by commas. */
function convertJavascriptConvertArray(code: string, nested: string | null): Json {
  const table = readTable(code);
  if (table !== null) return table;
  const [, literal, constructed] = /^(?:\[(.*?)\]|new\s+Array\((.*?)\))/.exec(code) ?? [];
  const content = (literal ?? constructed)?.trim();
  if (content === undefined) return code;
  const items = content === '' ? [] : content.split(',').map((item) => item.trim());
  return items.map((item) => {
    if (nested === null) return convertJavascriptScalar(item);
    return convertJavascript(item, nested, /^["']/.test(item) ? 'String' : null);
  });
}

/** A list of lists, up to the first two adjacent closing brackets, or null. Rows are the parts between brackets. */
function readTable(code: string): Json | null {
  const opening = /^(?:\[|new\s+Array\()\s*\[/.exec(code);
  if (opening === null) return null;
  const end = endOfTable(code, opening[0].length, opening[0].startsWith('[') ? ']' : ')');
  if (end === null) return null;
  const rows = [...code.slice(0, end).matchAll(/\[(.*?)\]/g)].map(([, row = '']) => row.trim());
  return rows.map((row, i) =>
    (i === 0 && row.startsWith('[') ? row.slice(1) : row)
      .split(',')
      .map((item) => convertJavascriptScalar(item.trim())),
  );
}

/** Position after the first `]` that is followed by the closing bracket; a row may not contain a line break. */
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
  if (text.startsWith('[') && text.endsWith(']')) return convertJavascriptConvertArray(text, null);
  if (text.startsWith('{') && text.endsWith('}')) return convertObject(text);
  // Without quotes, so that a text of digits becomes a number.
  return convertJavascriptScalar(stripQuotes(text));
}

function convertJavascriptScalar(source: string): Json {
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
