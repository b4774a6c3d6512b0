import { isObject, type Json, parseJson } from '../../json/lossless.ts';
import type { BfclLanguage } from '../../metrics/bfcl/language.ts';
import { decodeJava } from './decode-java.ts';
import { decodeJavascript } from './decode-javascript.ts';
import { decodePython } from './decode-python.ts';
import { type Decoded, type DecodedCall, NOT_CALLS, NOT_DECODABLE } from './decoded.ts';
import type { LanguageParsers } from './language-parsers.ts';

/**
 * The calls in the `result` of a BFCL result file: the text of a prompted model, in the language of its category, or
 * the list of a function-calling model, `[{name: "<arguments as JSON>"}]` or `[{name: {…}}]`.
 *
 * @param parsers what reads Java and JavaScript; null where no category is in them.
 * @param isNative the model is a function-calling one, whose texts are messages and never calls.
 */
export function decodeResult(
  result: Json,
  language: BfclLanguage,
  isNative: boolean,
  parsers: LanguageParsers | null,
): Decoded {
  if (typeof result === 'string') {
    if (isNative) return NOT_DECODABLE;
    if (language === 'python') return decodePython(result);
    if (parsers === null) throw new Error(`no parsers for ${language}`);
    return language === 'java'
      ? decodeJava(result, parsers.java)
      : decodeJavascript(result, parsers.javascript);
  }
  if (!Array.isArray(result)) return NOT_CALLS;
  const calls: DecodedCall[] = [];
  for (const item of result) {
    const call = decodeItem(item);
    if (typeof call === 'string') return call;
    calls.push(call);
  }
  return calls;
}

function decodeItem(item: Json): DecodedCall | typeof NOT_DECODABLE | typeof NOT_CALLS {
  if (!isObject(item)) return NOT_DECODABLE;
  const [entry, ...others] = Object.entries(item);
  if (entry === undefined) return NOT_DECODABLE;
  const [name, given] = entry;
  const args = typeof given === 'string' ? decoded(given) : given;
  if (args === undefined) return NOT_DECODABLE;
  return isObject(args) && others.length === 0 ? { name, arguments: args } : NOT_CALLS;
}

function decoded(text: string): Json | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
