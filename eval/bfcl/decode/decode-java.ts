import type { Node } from '@vscode/tree-sitter-wasm';
import { withBrackets } from './decode-python.ts';
import { type Decoded, NOT_CALLS, NOT_DECODABLE } from './decoded.ts';
import type { ParseSource } from './language-parsers.ts';
import { namedArguments } from './named-arguments.ts';

/**
 * The first method call in a Java text, as BFCL's decoder reads it: its arguments are assignments, and a value is its
 * source text without blanks between its parts, without quotes if it is a text.
 *
 * Source: `bfcl_eval/model_handler/parser/java_parser.py`, which cuts texts by bytes where it means characters; here
 * they are whole.
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

/** null where BFCL's decoder breaks on a value. */
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

/** The text of a value, its parts joined without what stands between them; null for an array without elements. */
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
