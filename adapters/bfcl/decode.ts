import { createRequire } from 'node:module';
import type { Node } from '@vscode/tree-sitter-wasm';
import { UserError } from '../../contracts/errors.ts';
import type { BfclFunction, BfclLanguage } from '../../eval/bfcl/convert.ts';
import { isCall } from '../../eval/calls/calls.ts';
import type { ToolSchema } from '../../eval/calls/tool-universe.ts';
import {
  isNumber,
  isObject,
  type Json,
  type JsonObject,
  numberText,
  parseJson,
  toNumber,
} from '../../eval/json/lossless.ts';
import { PythonTuple, pythonType } from '../../eval/json/python.ts';
import { parseLenient } from '../../eval/parse/lenient.ts';
import { applyOperator } from '../../eval/parse/literals.ts';
import { type CallExpression, type Expression, parsePython, unparse } from './python.ts';

/** A call as BFCL's decoders return it. */
export interface DecodedCall {
  readonly name: string;
  readonly arguments: JsonObject;
}

/** The decoder failed: BFCL's `ast_decoder:decoder_failed`. */
export const NOT_DECODABLE = 'decoder_failed';

/** The decoded output is not a list of calls: BFCL's `ast_decoder:decoder_wrong_output_format`. */
export const NOT_CALLS = 'decoder_wrong_output_format';

export type Decoded = readonly DecodedCall[] | typeof NOT_DECODABLE | typeof NOT_CALLS;

/** Parses Java or JavaScript to a syntax tree; null if tree-sitter finds an error. */
export type ParseSource = (source: string) => Node | null;

/** Parsers for BFCL's languages other than Python. */
export interface LanguageParsers {
  readonly java: ParseSource;
  readonly javascript: ParseSource;
}

const require = createRequire(import.meta.url);

const PACKAGE = '@vscode/tree-sitter-wasm';

/**
 * Loads tree-sitter and the grammars of both languages, in about ten milliseconds. Throws PACKAGE_MISSING if the
 * optional package with them is not installed.
 */
export async function loadLanguageParsers(): Promise<LanguageParsers> {
  const { Parser, Language } = requireTreeSitter();
  await Parser.init();
  const load = async (name: string): Promise<ParseSource> => {
    const language = await Language.load(require.resolve(`${PACKAGE}/wasm/tree-sitter-${name}.wasm`));
    const parser = new Parser();
    parser.setLanguage(language);
    return (source) => {
      const root = parser.parse(source)?.rootNode ?? null;
      // BFCL does not count MISSING nodes, such as a missing semicolon, as errors.
      return root === null || root.toString().includes('ERROR') ? null : root;
    };
  };
  return { java: await load('java'), javascript: await load('javascript') };
}

function requireTreeSitter(): typeof import('@vscode/tree-sitter-wasm') {
  try {
    return require(PACKAGE);
  } catch (cause) {
    const fault = `reads Java and JavaScript, and is not installed; npm install ${PACKAGE}`;
    throw new UserError('PACKAGE_MISSING', PACKAGE, fault, { cause });
  }
}

/** Arguments by name, `''` for one without; null for a duplicate name, which BFCL's decoders reject. */
export function namedArguments(entries: readonly (readonly [string, string])[]): JsonObject | null {
  const names = new Set(entries.map(([name]) => name));
  return names.size === entries.length ? Object.fromEntries(entries) : null;
}

/**
 * Decodes a Python list of calls like BFCL's decoder: it ignores surrounding whitespace and backticks and missing
 * brackets; drops positional arguments; turns a call as an argument into an object, or into its text if it has no named
 * argument; evaluates arithmetic; keeps names and subscripts as text; and any sign negates.
 *
 * Source: `default_decode_ast_prompting` and `resolve_ast_by_type` in `bfcl_eval/model_handler/utils.py`. Unlike there,
 * all keys of dictionaries are text.
 */
export function decodePython(output: string): readonly DecodedCall[] | typeof NOT_DECODABLE {
  const parsed = parsePython(
    withBrackets(output)
      .trim()
      .replace(/^'+|(?<!')'+$/g, ''),
  );
  const calls = parsed?.kind === 'list' || parsed?.kind === 'tuple' ? parsed.items : [parsed];
  if (!calls.every((call) => call?.kind === 'call')) return NOT_DECODABLE;
  try {
    return calls.map(resolveCall);
  } catch (error) {
    if (error instanceof Undecodable) return NOT_DECODABLE;
    throw error;
  }
}

/** Thrown where BFCL's decoder fails. */
class Undecodable extends Error {}

function fail(): never {
  throw new Undecodable();
}

/** The output between brackets, which it may have itself. */
export function withBrackets(output: string): string {
  const text = output.replace(/^[`\n ]+/, '').replace(/(?<![`\n ])[`\n ]+$/, '');
  return `${text.startsWith('[') ? '' : '['}${text}${text.endsWith(']') ? '' : ']'}`;
}

function resolveCall({ callee, keywords }: CallExpression): DecodedCall {
  const args = keywords.map(([name, value]): [string, Json] => [name, resolve(value)]);
  return { name: nameOf(callee), arguments: Object.fromEntries(args) };
}

/** Omits a root that is not a name. */
function nameOf(callee: Expression): string {
  if (callee.kind === 'name') return callee.id;
  if (callee.kind !== 'attribute') return '';
  const owner = nameOf(callee.value);
  return owner === '' ? callee.name : `${owner}.${callee.name}`;
}

function resolve(expression: Expression): Json {
  switch (expression.kind) {
    case 'constant':
      return expression.value;
    case 'ellipsis':
      return '...';
    case 'name':
      return expression.id;
    case 'unary':
      return expression.operand.kind === 'constant' ? negated(expression.operand.value) : fail();
    case 'list':
      return expression.items.map(resolve);
    case 'tuple':
      return PythonTuple.from(expression.items.map(resolve));
    case 'dict':
      return Object.fromEntries(
        expression.entries.map(([key, value]) => [keyOf(resolve(key)), resolve(value)]),
      );
    case 'binary':
      return evaluate(expression);
    case 'call': {
      if (expression.keywords.length === 0) return unparse(expression);
      const call = resolveCall(expression);
      return { [call.name]: call.arguments };
    }
    case 'subscript':
      return unparse(expression);
    default:
      return fail();
  }
}

function keyOf(value: Json): string {
  return pythonType(value) === 'list' || pythonType(value) === 'dict' ? fail() : String(value);
}

function negated(value: Json): Json {
  if (typeof value === 'boolean') return value ? -1 : 0;
  if (!isNumber(value)) return fail();
  const text = numberText(value);
  if (text === '0') return 0;
  return toNumber(text.startsWith('-') ? text.slice(1) : `-${text}`);
}

/** Evaluates arithmetic on literals like Python's `eval`, in which names are unknown. */
function evaluate(expression: Expression): Json {
  switch (expression.kind) {
    case 'constant':
      return expression.value;
    case 'list':
      return expression.items.map(evaluate);
    case 'tuple':
      return PythonTuple.from(expression.items.map(evaluate));
    case 'unary':
      return evaluateSign(expression.operator, evaluate(expression.operand)) ?? fail();
    case 'binary':
      return (
        applyOperator(expression.operator, evaluate(expression.left), evaluate(expression.right)) ?? fail()
      );
    default:
      return fail();
  }
}

function evaluateSign(operator: string, value: Json): Json | undefined {
  if (!isNumber(value) && typeof value !== 'boolean') return undefined;
  if (operator === '-') return negated(value);
  if (operator === '+') return applyOperator('+', value, 0);
  return operator === '~' && pythonType(value) === 'int' ? applyOperator('-', -1, value) : undefined;
}

/**
 * Decodes the first method call in a Java text like BFCL's decoder: its arguments are assignments, and a value is its
 * source text without whitespace between its parts, without quotes for a string.
 *
 * Source: `bfcl_eval/model_handler/parser/java_parser.py`, which confuses byte and character offsets when slicing; this
 * one does not.
 */
export function decodeJava(output: string, parse: ParseSource): Decoded {
  const root = parse(withBrackets(output).slice(1, -1));
  if (root === null) return NOT_DECODABLE;
  const call = firstCall(root);
  if (call === null) return NOT_CALLS;
  const list = call.childForFieldName('arguments');
  if (list === null) return NOT_CALLS;
  const owner = call.childForFieldName('object');
  const name = call.childForFieldName('name')?.text ?? '';
  const entries = argumentsOf(list);
  const args = entries === null ? null : namedArguments(entries);
  return args === null
    ? NOT_DECODABLE
    : [{ name: owner === null ? name : `${owner.text}.${name}`, arguments: args }];
}

function firstCall(node: Node): Node | null {
  if (node.type === 'method_invocation') return node;
  for (const child of node.children) {
    const found = child === null ? null : firstCall(child);
    if (found !== null) return found;
  }
  return null;
}

/** null where BFCL's decoder fails on a value. */
function argumentsOf(list: Node): [string, string][] | null {
  const entries: [string, string][] = [];
  for (const child of list.children) {
    if (child?.type === 'assignment_expression') {
      const [name, , value] = child.children;
      const source = value == null ? null : sourceOf(value, false);
      if (name == null || source === null) return null;
      entries.push([name.text, source]);
    } else if (child?.type === 'identifier' || child?.type === 'class_literal')
      entries.push(['', child.text]);
  }
  return entries;
}

/** The text of a value, its parts joined without separators; null for an empty array. */
function sourceOf(node: Node | null, nested: boolean): string | null {
  if (node === null) return null;
  if (node.type === 'string_literal' || node.type === 'character_literal') {
    return nested ? node.text : node.text.slice(1, -1);
  }
  if (WHOLE.has(node.type) || node.childCount === 0) return node.text;
  if (node.type === 'array_creation_expression') {
    const type = sourceOf(node.childForFieldName('type'), true);
    const value = sourceOf(node.childForFieldName('value'), true);
    return type === null || value === null ? null : `new ${type}[]${value}`;
  }
  if (node.type === 'object_creation_expression') {
    const type = sourceOf(node.childForFieldName('type'), true);
    const list = node.childForFieldName('arguments')?.children ?? [];
    const args = joined(
      list.filter((child) => child === null || !PUNCTUATION.has(child.type)),
      ', ',
    );
    return type === null || args === null ? null : `new ${type}(${args})`;
  }
  return joined(node.children, '');
}

function joined(nodes: readonly (Node | null)[], separator: string): string | null {
  const parts = nodes.map((node) => sourceOf(node, true));
  return parts.includes(null) ? null : parts.join(separator);
}

const WHOLE = new Set(['identifier', 'class_literal', 'type_identifier', 'method_invocation']);
const PUNCTUATION = new Set([',', '(', ')']);

/**
 * Decodes the first call in a JavaScript text like BFCL's decoder: its arguments are assignments, and a value is its
 * source text without surrounding quotes.
 *
 * Source: `bfcl_eval/model_handler/parser/js_parser.py`.
 */
export function decodeJavascript(output: string, parse: ParseSource): Decoded {
  const root = parse(withBrackets(output).slice(1, -1));
  if (root === null) return NOT_DECODABLE;
  for (const statement of root.children) {
    if (statement?.type !== 'expression_statement') continue;
    const call = statement.children.find((child) => child?.type === 'call_expression');
    const [callee, list] = call?.children ?? [];
    if (callee != null && list != null) {
      const args = namedArguments(decodeJavascriptArgumentsOf(list));
      return args === null ? NOT_DECODABLE : [{ name: callee.text, arguments: args }];
    }
  }
  return NOT_CALLS;
}

function decodeJavascriptArgumentsOf(list: Node): [string, string][] {
  return list.children.flatMap((child): [string, string][] => {
    if (child?.type === 'assignment_expression')
      return [[child.children[0]?.text ?? '', unquoted(child.children[2]?.text ?? '')]];
    return child?.type === 'identifier' || child?.type === 'true' ? [['', child.text]] : [];
  });
}

function unquoted(source: string): string {
  const isQuoted = ['"', "'"].some((quote) => source.startsWith(quote) && source.endsWith(quote));
  return isQuoted ? source.slice(1, -1) : source;
}

/**
 * Decodes the `result` of a BFCL result file: the text of a prompted model, in the language of its category, or the list
 * of a function-calling model, `[{name: "<arguments as JSON>"}]` or `[{name: {…}}]`.
 *
 * @param parsers parsers of Java and JavaScript; null if no category uses them.
 * @param isNative whether it is a function-calling model, whose texts are messages and never calls.
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

/** The calls that the parse ladder of `rookery score` finds in a text, or null if it finds none. */
export function readLeniently(text: string, functions: readonly BfclFunction[]): Decoded | null {
  const tools = new Map(functions.map(({ name, parameters }): [string, ToolSchema] => [name, parameters]));
  const parsed = parseLenient(text, tools);
  if (parsed === null) return null;
  const calls = parsed.calls
    .filter(isCall)
    .map(({ name, arguments: args }): DecodedCall => ({ name, arguments: args }));
  return calls.length === parsed.calls.length ? calls : NOT_CALLS;
}
