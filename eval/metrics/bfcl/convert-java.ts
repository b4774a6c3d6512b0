import type { Json } from '../../json/lossless.ts';
import { looseScalar, pythonFloat, pythonInteger } from './source-values.ts';

/**
 * The value of a Java expression as BFCL's Java converter reads it: only the forms that its questions ask for, by
 * type; a text that does not have the form stays a text.
 *
 * @param type a type that `bfclType` knows for Java.
 * @param nested the type of the elements, for Array and ArrayList.
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

/** A value without a declared type. */
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
