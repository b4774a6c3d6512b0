import type { Node } from '@vscode/tree-sitter-wasm';
import { withBrackets } from './decode-python.ts';
import { type Decoded, NOT_CALLS, NOT_DECODABLE } from './decoded.ts';
import type { ParseSource } from './language-parsers.ts';
import { namedArguments } from './named-arguments.ts';

/**
 * The first call in a JavaScript text, as BFCL's decoder reads it: its arguments are assignments, and a value is its
 * source text, without quotes around it.
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
      const args = namedArguments(argumentsOf(list));
      return args === null ? NOT_DECODABLE : [{ name: callee.text, arguments: args }];
    }
  }
  return NOT_CALLS;
}

function argumentsOf(list: Node): [string, string][] {
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
