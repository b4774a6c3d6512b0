import { isNumber, type Json, numberText, toNumber } from '../../json/lossless.ts';
import { PythonTuple, pythonType } from '../../json/python.ts';
import { applyOperator } from '../../parse/operators.ts';
import type { CallExpression, Expression } from '../../parse/python/expression.ts';
import { parsePython } from '../../parse/python/parse-expression.ts';
import { unparse } from '../../parse/python/unparse.ts';
import { type DecodedCall, NOT_DECODABLE } from './decoded.ts';

/**
 * The calls in a Python list of calls, as BFCL's decoder reads it: blanks, line ends and back-ticks around it, and
 * missing brackets, do not matter; arguments without a name are dropped; a call as an argument is an object, or its text
 * if it names no argument; arithmetic is computed; names and subscripts are their text; any sign negates.
 *
 * Source: `default_decode_ast_prompting` and `resolve_ast_by_type` in `bfcl_eval/model_handler/utils.py`. Keys of
 * dictionaries are texts here, whatever they were.
 */
export function decodePython(output: string): readonly DecodedCall[] | typeof NOT_DECODABLE {
  const parsed = parsePython(
    withBrackets(output)
      .trim()
      .replace(/^'+|(?<!')'+$/g, ''),
  );
  if (parsed === null) return NOT_DECODABLE;
  if (parsed.kind !== 'call' && parsed.kind !== 'list' && parsed.kind !== 'tuple') return NOT_DECODABLE;
  const calls: DecodedCall[] = [];
  for (const element of parsed.kind === 'call' ? [parsed] : parsed.items) {
    const call = element.kind === 'call' ? resolveCall(element) : undefined;
    if (call === undefined) return NOT_DECODABLE;
    calls.push(call);
  }
  return calls;
}

/** The output between brackets, which it may have itself. */
export function withBrackets(output: string): string {
  const text = output.replace(/^[`\n ]+/, '').replace(/(?<![`\n ])[`\n ]+$/, '');
  return `${text.startsWith('[') ? '' : '['}${text}${text.endsWith(']') ? '' : ']'}`;
}

function resolveCall({ callee, keywords }: CallExpression): DecodedCall | undefined {
  const args: [string, Json][] = [];
  for (const [name, value] of keywords) {
    const resolved = resolve(value);
    if (resolved === undefined) return undefined;
    args.push([name, resolved]);
  }
  return { name: nameOf(callee), arguments: Object.fromEntries(args) };
}

/** What is no name at the root of a dotted name is left out. */
function nameOf(callee: Expression): string {
  if (callee.kind === 'name') return callee.id;
  if (callee.kind !== 'attribute') return '';
  const owner = nameOf(callee.value);
  return owner === '' ? callee.name : `${owner}.${callee.name}`;
}

/** undefined where BFCL's decoder gives up. */
function resolve(expression: Expression): Json | undefined {
  switch (expression.kind) {
    case 'constant':
      return expression.value;
    case 'ellipsis':
      return '...';
    case 'name':
      return expression.id;
    case 'unary':
      return expression.operand.kind === 'constant' ? negated(expression.operand.value) : undefined;
    case 'list':
      return resolveAll(expression.items);
    case 'tuple': {
      const items = resolveAll(expression.items);
      return items === undefined ? undefined : PythonTuple.from(items);
    }
    case 'dict':
      return resolveDict(expression.entries);
    case 'binary':
      return evaluate(expression);
    case 'call': {
      if (expression.keywords.length === 0) return unparse(expression);
      const call = resolveCall(expression);
      return call === undefined ? undefined : { [call.name]: call.arguments };
    }
    case 'subscript':
      return unparse(expression);
    default:
      return undefined;
  }
}

function resolveAll(items: readonly Expression[]): Json[] | undefined {
  const resolved = items.map(resolve);
  return resolved.every((item): item is Json => item !== undefined) ? resolved : undefined;
}

function resolveDict(entries: readonly (readonly [Expression, Expression])[]): Json | undefined {
  const keys = resolveAll(entries.map(([key]) => key));
  const values = resolveAll(entries.map(([, value]) => value));
  if (keys === undefined || values === undefined || keys.some((key) => isObjectOrList(key))) return undefined;
  return Object.fromEntries(keys.map((key, i): [string, Json] => [String(key), values[i] as Json]));
}

function isObjectOrList(value: Json): boolean {
  return pythonType(value) === 'list' || pythonType(value) === 'dict';
}

function negated(value: Json): Json | undefined {
  if (typeof value === 'boolean') return value ? -1 : 0;
  if (!isNumber(value)) return undefined;
  const text = numberText(value);
  if (text === '0') return 0;
  return toNumber(text.startsWith('-') ? text.slice(1) : `-${text}`);
}

/** Python's `eval` of arithmetic on literals; names are not known there. */
function evaluate(expression: Expression): Json | undefined {
  if (expression.kind === 'constant') return expression.value;
  if (expression.kind === 'list') return evaluateAll(expression.items);
  if (expression.kind === 'tuple') {
    const items = evaluateAll(expression.items);
    return items === undefined ? undefined : PythonTuple.from(items);
  }
  if (expression.kind === 'unary') return evaluateSign(expression.operator, evaluate(expression.operand));
  if (expression.kind !== 'binary') return undefined;
  const left = evaluate(expression.left);
  const right = evaluate(expression.right);
  return left === undefined || right === undefined
    ? undefined
    : applyOperator(expression.operator, left, right);
}

function evaluateSign(operator: string, value: Json | undefined): Json | undefined {
  if (value === undefined || (!isNumber(value) && typeof value !== 'boolean')) return undefined;
  if (operator === '-') return negated(value);
  if (operator === '+') return applyOperator('+', value, 0);
  return operator === '~' && pythonType(value) === 'int' ? applyOperator('-', -1, value) : undefined;
}

function evaluateAll(items: readonly Expression[]): Json[] | undefined {
  const values = items.map(evaluate);
  return values.every((item): item is Json => item !== undefined) ? values : undefined;
}
