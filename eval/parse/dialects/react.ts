import type { CallElement } from '../../calls/agent-call.ts';
import { isObject, type Json } from '../../json/lossless.ts';
import { readCallSyntax } from '../call-syntax.ts';
import { namedCall, tryLiteral } from '../named-call.ts';
import type { OfferedTools } from '../parsed-output.ts';
import { type Dialect, partsAfter } from './dialect.ts';

/**
 * ReACT: `Action: name` and `Action Input: {…}` on lines of their own, `Action: name(a=1)`, or `Action: name[input]`. An
 * input that is no object is the tool's only parameter, where it has only one.
 *
 * Sources: Yao et al. 2023, and https://python.langchain.com/docs/how_to/#agents (the `react` prompt of LangChain).
 */
export const react: Dialect = {
  rung: 'react',
  read(output, tools) {
    const calls = [...partsAfter(output, ACTION)].flatMap(({ match, body }) =>
      actionCalls(match[1] ?? '', body, tools),
    );
    return calls.length > 0 ? calls : null;
  },
};

function actionCalls(action: string, body: string, tools?: OfferedTools): readonly CallElement[] {
  const marked = action.replace(/^[`*\s]+/, '');
  const text = marked.slice(0, lastIndexOfOther(marked, MARKS) + 1);
  const input = INPUT.exec(body);
  if (action.trim().startsWith('```')) return [];
  if (NAME.test(text)) {
    if (input === null) return isTool(text, tools) ? [namedCall(text, '')] : [];
    const start = input.index + input[0].length;
    return [inputCall(text, beforeNextLine(body.slice(start)), tools)];
  }
  const [, name, argument] = BRACKETED.exec(text) ?? [];
  if (name !== undefined && argument !== undefined) return [inputCall(name, argument, tools)];
  return readCallSyntax(text, tools)?.calls ?? [];
}

/** The place of the last character that is none of these, or -1. */
function lastIndexOfOther(text: string, characters: RegExp): number {
  let at = text.length - 1;
  while (at >= 0 && characters.test(text[at] as string)) at--;
  return at;
}

/** Whether a lone word names a tool; where the tools are not known, one word of prose does not look like `get_x`. */
function isTool(word: string, tools?: OfferedTools): boolean {
  return tools?.has(word) ?? /[_.]/.test(word);
}

function inputCall(name: string, input: string, tools?: OfferedTools): CallElement {
  const text = input.trim().replace(/^\**\s*/, '');
  if (NO_INPUT.test(text)) return namedCall(name, '');
  const call = namedCall(name, text);
  if (!('malformed' in call)) return call;
  const [parameter, ...others] = Object.keys(tools?.get(name)?.properties ?? {});
  if (parameter === undefined || others.length > 0) return call;
  return { name, arguments: { [parameter]: scalar(text) }, label: null };
}

function scalar(text: string): Json {
  const value = /^["']/.test(text) ? tryLiteral(text) : undefined;
  return value === undefined || isObject(value) ? text : value;
}

function beforeNextLine(text: string): string {
  const next = NEXT_LINE.exec(text);
  return next === null ? text : text.slice(0, next.index);
}

const MARKS = /[`*\s.]/;
const ACTION = /(?:^|\n)[ \t*]*Action(?:[ \t]*\d+)?[ \t]*:[ \t]*([^\n]+)/g;
const INPUT = /^\s*\**Action[ \t]+Input(?:[ \t]*\d+)?[ \t]*:/;
const NEXT_LINE = /\n[ \t*]*(?:Observation|Thought|Final Answer|Question)(?:[ \t]*\d+)?[ \t]*:/;
const NAME = /^[\p{L}_][\p{L}\p{M}\p{N}_.-]*$/u;
const BRACKETED = /^([\p{L}_][\p{L}\p{N}_.-]*)\[([^\]]*)\]$/u;
const NO_INPUT = /^(?:|None|N\/A|null)$/i;
