import type { Rung } from '../../contracts/judgement.ts';
import type { CallElement } from '../calls/calls.ts';
import { isObject, type Json, type JsonObject } from '../json/lossless.ts';
import { type OfferedTools, readCallSyntax } from './call-syntax.ts';
import { LiteralReader, NOT_READABLE, NotReadable } from './literals.ts';
import { bareValue, namedCall, readLoosely, tryLiteral } from './read-json.ts';

/** A call format that one family of models was trained on, recognized by unique markers. */
export interface Dialect {
  readonly rung: Rung;
  /** The calls in the text; none if it is not in this dialect. Linear in the text's length. */
  read(output: string, tools?: OfferedTools): readonly CallElement[];
}

/** The text after each match of a pattern (which must be global), up to the next match or the end. */
export function* partsAfter(
  text: string,
  opening: RegExp,
): Generator<{ match: RegExpExecArray; body: string }> {
  opening.lastIndex = 0;
  for (let match = opening.exec(text); match !== null; ) {
    const start = match.index + match[0].length;
    opening.lastIndex = Math.max(start, match.index + 1);
    const next = opening.exec(text);
    yield { match, body: text.slice(start, next?.index) };
    match = next;
  }
}

/** The text before the first marker, or all of it. */
export function before(text: string, ...marks: readonly string[]): string {
  const ends = marks.map((mark) => text.indexOf(mark)).filter((at) => at >= 0);
  return ends.length === 0 ? text : text.slice(0, Math.min(...ends));
}

/**
 * Calls as `call:name{key:value,…}` after an opening token, with bare keys, and texts between two quote
 * tokens: the Gemma models' syntax. An unquoted text ends at a comma or bracket.
 */
export function readCompactCalls(
  output: string,
  opening: RegExp,
  closing: string,
  quote: string,
): CallElement[] {
  return [...partsAfter(output, opening)].flatMap(({ body }): CallElement[] => {
    const [whole, name] = HEAD.exec(body) ?? [];
    if (whole === undefined || name === undefined) return [];
    const rest = body.slice(whole.length);
    const args = readObject(rest, quote);
    return [
      args === null
        ? { malformed: { [name]: before(rest, closing) } }
        : { name, arguments: args, label: null },
    ];
  });
}

function readObject(text: string, quote: string): JsonObject | null {
  try {
    const value = new CompactReader(text, quote).value();
    return isObject(value) ? value : null;
  } catch (error) {
    if (error instanceof NotReadable) return null;
    throw error;
  }
}

class CompactReader extends LiteralReader {
  private readonly quote: string;

  constructor(text: string, quote: string) {
    super(text);
    this.quote = quote;
  }

  protected override operand(): Json {
    this.blank();
    if (this.take(this.quote)) return this.untilQuote();
    if (/[[{"']/.test(this.peek())) return super.operand();
    const text = (this.match(BARE) ?? '').trim();
    const value = BARE_VALUE.test(text) ? new LiteralReader(text).value() : text;
    if (text === '') throw NOT_READABLE;
    return value;
  }

  protected override key(): string {
    return this.take(this.quote) ? this.untilQuote() : super.key();
  }

  private untilQuote(): string {
    const end = this.text.indexOf(this.quote, this.position);
    if (end < 0) throw NOT_READABLE;
    const text = this.text.slice(this.position, end);
    this.position = end + this.quote.length;
    return text;
  }
}

const HEAD = /^\s*(?:call:)?([\p{L}_][\p{L}\p{M}\p{N}_.-]*)\s*(?=\{)/u;
const BARE = /[^,[\]{}<]+/y;
const BARE_VALUE = /^(?:true|false|null|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)$/;

/**
 * Harmony, the format of gpt-oss: messages `<|start|>assistant<|channel|>commentary to=functions.f <|constrain|>json
 * <|message|>{…}<|call|>`. A message to a recipient is a call; the recipient may also stand before the channel.
 *
 * Source: https://cookbook.openai.com/articles/openai-harmony
 */
export const harmony: Dialect = {
  rung: 'harmony',
  read: (output) =>
    messagesOf(output).flatMap(({ header, body }): CallElement[] => {
      const recipient = RECIPIENT.exec(header)?.[1];
      return recipient === undefined ? [] : [namedCall(recipient.replace(/^functions\./, ''), body)];
    }),
};

/** The text of the final channel if the output is in this format; analysis is skipped. */
export function harmonyAnswer(output: string): string | null {
  if (!output.includes(MESSAGE)) return null;
  return messagesOf(output)
    .filter(({ header }) => !/<\|channel\|>\s*(?:analysis|commentary)/.test(header))
    .map(({ body }) => body)
    .join('\n');
}

function messagesOf(output: string): { header: string; body: string }[] {
  const starts = output.startsWith('<|start|>') ? output : `<|start|>${output}`;
  return [...partsAfter(starts, /<\|start\|>/g)].flatMap(({ body }) => {
    const at = body.indexOf(MESSAGE);
    if (at < 0) return [];
    return [
      {
        header: body.slice(0, at),
        body: before(body.slice(at + MESSAGE.length), '<|call|>', '<|end|>', '<|return|>'),
      },
    ];
  });
}

const MESSAGE = '<|message|>';
const RECIPIENT = /\bto=([\p{L}\p{N}_.-]+)/u;

/**
 * DeepSeek's own tokens. R1 and V3 write `function<｜tool▁sep｜>name` and a fenced object, V3.1 `name<｜tool▁sep｜>{…}`.
 *
 * Sources: chat templates of deepseek-ai/DeepSeek-R1, DeepSeek-V3-0324 and DeepSeek-V3.1 on Hugging Face.
 */
export const deepseek: Dialect = {
  rung: 'deepseek',
  read: (output) =>
    [...partsAfter(output, BEGIN)].map(({ body }) => {
      const [head = '', rest = ''] = split(
        before(body, '<｜tool▁call▁end｜>', '<｜tool▁calls▁end｜>'),
        SEPARATOR,
      );
      if (head.trim() !== 'function') return namedCall(head.trim(), rest);
      const [name, args] = split(rest, '\n');
      return namedCall(name.trim(), args);
    }),
};

const BEGIN = /<｜tool▁call▁begin｜>/g;
const SEPARATOR = '<｜tool▁sep｜>';

function split(text: string, at: string): [string, string] {
  const index = text.indexOf(at);
  return index < 0 ? [text, ''] : [text.slice(0, index), text.slice(index + at.length)];
}

/**
 * DSML of DeepSeek V3.2 and later: `<｜DSML｜invoke name="f"><｜DSML｜parameter name="a"
 * string="true">x</｜DSML｜parameter>`; `string="false"` marks JSON.
 *
 * Source: encoding/README.md of deepseek-ai/DeepSeek-V3.2 on Hugging Face.
 */
export const dsml: Dialect = {
  rung: 'dsml',
  read: (output, tools) =>
    [...partsAfter(output, INVOKE)].map(({ match, body }) => invokedCall(match[1] ?? '', body, tools)),
};

function invokedCall(name: string, text: string, tools?: OfferedTools): CallElement {
  const body = before(text, '</｜DSML｜invoke>');
  const parameters = [...partsAfter(body, PARAMETER)].map(({ match, body: value }): [string, Json] => {
    const [, key = '', isText] = match;
    const content = before(value, '</｜DSML｜parameter>');
    return [key, isText === 'true' ? content : bareValue(content.trim(), tools?.get(name)?.properties[key])];
  });
  return parameters.length === 0
    ? namedCall(name, body)
    : { name, arguments: Object.fromEntries(parameters), label: null };
}

const INVOKE = /<｜DSML｜invoke\s+name="([^"<>]*)"\s*>/g;
const PARAMETER = /<｜DSML｜parameter\s+name="([^"<>]*)"(?:\s+string="(true|false)")?\s*>/g;

/**
 * Kimi K2: `<|tool_call_begin|>functions.name:0<|tool_call_argument_begin|>{…}<|tool_call_end|>`. The id names the tool.
 *
 * Source: docs/tool_call_guidance.md of moonshotai/Kimi-K2-Instruct on Hugging Face.
 */
export const kimi: Dialect = {
  rung: 'kimi',
  read: (output) =>
    [...partsAfter(output, KIMI_BEGIN)].flatMap(({ body }) => {
      const at = body.indexOf(ARGUMENTS);
      if (at < 0) return [];
      const name = body
        .slice(0, at)
        .trim()
        .replace(/^functions\./, '')
        .replace(/:\d+$/, '');
      return [
        namedCall(
          name,
          before(body.slice(at + ARGUMENTS.length), '<|tool_call_end|>', '<|tool_calls_section_end|>'),
        ),
      ];
    }),
};

const KIMI_BEGIN = /<\|tool_call_begin\|>/g;
const ARGUMENTS = '<|tool_call_argument_begin|>';

/**
 * Mistral's tokens: `[TOOL_CALLS][{…}]` up to tokenizer v7, `[TOOL_CALLS]name{…}` and
 * `[TOOL_CALLS]name[ARGS]{…}` from v11, `[TOOL_CALLS]name[CALL_ID]id[ARGS]{…}` in between. Without special
 * tokens, `name[ARGS]{…}` remains.
 *
 * Source: https://github.com/mistralai/mistral-common, src/mistral_common/tokens/tokenizers/instruct.py
 */
export const mistral: Dialect = {
  rung: 'mistral',
  read(output) {
    if (!output.includes(CALLS) && !output.includes(ARGS)) return [];
    const parts = output.includes(CALLS)
      ? [...partsAfter(output, /\[TOOL_CALLS\]/g)].map(({ body }) => body.trim())
      : [output.trim()];
    return parts.flatMap(readPart);
  },
};

function readPart(part: string): readonly CallElement[] {
  const head = MISTRAL_HEAD.exec(part);
  if (head !== null) {
    const [whole, name = ''] = head;
    return [namedCall(name, part.slice(whole.length))];
  }
  const value = tryLiteral(part);
  return value === undefined ? [] : (readLoosely(value)?.calls ?? []);
}

const CALLS = '[TOOL_CALLS]';
const ARGS = '[ARGS]';
const MISTRAL_HEAD =
  /^([\p{L}_][\p{L}\p{M}\p{N}_.-]*)\s*(?:\[CALL_ID\]\s*(?:[\w-]+\s*)?)?(?:\[ARGS\]\s*|(?=\{))/u;

/**
 * GLM-4.5 and later: `<tool_call>name`, then `<arg_key>a</arg_key><arg_value>1</arg_value>` pairs; line ends between
 * them are optional from 4.7 on. A value is JSON or a bare text.
 *
 * Source: chat template of zai-org/GLM-4.5 on Hugging Face.
 */
export const glm: Dialect = {
  rung: 'glm',
  read(output, tools) {
    if (!output.includes('<arg_key>')) return [];
    return [...partsAfter(output, /<tool_call>/g)].map(({ body }) =>
      pairedCall(before(body, '</tool_call>'), tools),
    );
  },
};

function pairedCall(body: string, tools?: OfferedTools): CallElement {
  const name = before(body, '<arg_key>').trim();
  const pairs = [...partsAfter(body, /<arg_key>/g)].flatMap(({ body: pair }): [string, Json][] => {
    const key = before(pair, '</arg_key>').trim();
    const at = pair.indexOf('<arg_value>');
    if (at < 0) return [];
    const value = before(pair.slice(at + '<arg_value>'.length), '</arg_value>').replace(/^\n|\n$/g, '');
    return [[key, bareValue(value, tools?.get(name)?.properties[key])]];
  });
  return /\s/.test(name) || name === ''
    ? { malformed: body.trim() }
    : { name, arguments: Object.fromEntries(pairs), label: null };
}

/**
 * Gemma 4: `<|tool_call>call:name{a:<|"|>text<|"|>,n:1}<tool_call|>`. Gemma 3 has no tokens of its own; it
 * writes program text in a `tool_code` block.
 *
 * Source: chat template of google/gemma-4 on Hugging Face.
 */
export const gemma: Dialect = {
  rung: 'gemma',
  read: (output) => readCompactCalls(output, /<\|tool_call>/g, '<tool_call|>', '<|"|>'),
};

/**
 * FunctionGemma: `<start_function_call>call:name{a:<escape>text<escape>,n:1}<end_function_call>`.
 *
 * Source: https://ai.google.dev/gemma/docs/functiongemma/formatting-and-best-practices
 */
export const functionGemma: Dialect = {
  rung: 'function_gemma',
  read: (output) => readCompactCalls(output, /<start_function_call>/g, '<end_function_call>', '<escape>'),
};

/**
 * Functionary: messages to recipients. v3 writes `>>>name` and the object on the next line, v2
 * `<|recipient|>name<|content|>{…}`; messages to `all` are prose. v3.1's `<function=name>` is read as an XML
 * element.
 *
 * Source: https://github.com/MeetKai/functionary, functionary/prompt_template
 */
export const functionary: Dialect = {
  rung: 'functionary',
  read: (output) =>
    [...partsAfter(output, FUNCTIONARY_RECIPIENT)].flatMap(({ match, body }): CallElement[] => {
      const name = match[1] ?? match[2] ?? '';
      if (name === 'all') return [];
      return [
        namedCall(name, before(body, '<|from|>', '<|stop|>', '<|eot_id|>').replace(/^\s*<\|content\|>/, '')),
      ];
    }),
};

const FUNCTIONARY_RECIPIENT =
  /(?:^|\n)>>>([\p{L}_][\p{L}\p{M}\p{N}_.-]*)(?=\r?\n)|<\|recipient\|>\s*([\p{L}_][\p{L}\p{M}\p{N}_.-]*)/gu;

/**
 * Qwen2's older form, that of Qwen-Agent: `✿FUNCTION✿: name`, `✿ARGS✿: {…}`, and `✿RESULT✿` after it.
 *
 * Source: https://github.com/QwenLM/Qwen-Agent, qwen_agent/llm/fncall_prompts/qwen_fncall_prompt.py
 */
export const qwen2: Dialect = {
  rung: 'qwen2',
  read: (output) =>
    [...partsAfter(output, /✿FUNCTION✿\s*:/g)].map(({ body }) => {
      const name = before(body, '✿ARGS✿').trim();
      const at = body.indexOf('✿ARGS✿');
      const args = at < 0 ? '' : before(body.slice(at + '✿ARGS✿'.length), '✿').replace(/^\s*:/, '');
      return namedCall(name, args);
    }),
};

/**
 * Claude's legacy XML: `<invoke><tool_name>f</tool_name><parameters><a>1</a></parameters></invoke>`, one
 * element per parameter.
 *
 * Source: https://docs.anthropic.com/en/docs/legacy-tool-use
 */
export const claudeXml: Dialect = {
  rung: 'claude_xml',
  read: (output, tools) =>
    [...partsAfter(output, /<tool_name>/g)].map(({ body }) =>
      claudeXmlInvokedCall(before(body, '</invoke>'), tools),
    ),
};

function claudeXmlInvokedCall(body: string, tools?: OfferedTools): CallElement {
  const name = before(body, '</tool_name>').trim();
  const at = body.indexOf('<parameters>');
  const parameters =
    at < 0 ? [] : parameterElements(before(body.slice(at + '<parameters>'.length), '</parameters>'));
  const args = parameters.map(([key, text]): [string, Json] => [
    key,
    bareValue(text.trim(), tools?.get(name)?.properties[key]),
  ]);
  return name === ''
    ? { malformed: body.trim() }
    : { name, arguments: Object.fromEntries(args), label: null };
}

/** A sequence of `<key>text</key>`; a text may contain other elements. */
function parameterElements(text: string): [string, string][] {
  const found: [string, string][] = [];
  ELEMENT.lastIndex = 0;
  for (let open = ELEMENT.exec(text); open !== null; open = ELEMENT.exec(text)) {
    const [tag, key = ''] = open;
    const start = open.index + tag.length;
    const end = text.indexOf(`</${key}>`, start);
    found.push([key, text.slice(start, end < 0 ? undefined : end)]);
    if (end < 0) break;
    ELEMENT.lastIndex = end + key.length + 3;
  }
  return found;
}

const ELEMENT = /<([\p{L}_][\p{L}\p{N}_.-]*)>/gu;

/**
 * BFCL's two XML formats: `<functions><function name="f"><params><param name="a" value="1" type="integer"/>`
 * (verbose) and `<param name="a" type="integer">1</param>` (concise). The type determines how the text is
 * read.
 *
 * Source: `bfcl_eval/constants/default_prompts.py` of ShishirPatil/gorilla.
 */
export const bfclXml: Dialect = {
  rung: 'bfcl_xml',
  read(output) {
    if (!output.includes('<functions>')) return [];
    const body = before(output.slice(output.indexOf('<functions>')), '</functions>');
    return [...partsAfter(body, FUNCTION)].map(({ match, body: text }): CallElement => {
      const name = decodeEntities(match[1] ?? '');
      return { name, arguments: Object.fromEntries(parameters(before(text, '</function>'))), label: null };
    });
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

/**
 * ReACT: `Action: name` and `Action Input: {…}` on separate lines, `Action: name(a=1)`, or `Action:
 * name[input]`. An input that is not an object is the value of the tool's only parameter, if it has just one.
 *
 * Sources: Yao et al. 2023, and https://python.langchain.com/docs/how_to/#agents (the `react` prompt of
 * LangChain).
 */
export const react: Dialect = {
  rung: 'react',
  read: (output, tools) =>
    [...partsAfter(output, ACTION)].flatMap(({ match, body }) => actionCalls(match[1] ?? '', body, tools)),
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

/** Index of the last character not matching the class, or -1. */
function lastIndexOfOther(text: string, characters: RegExp): number {
  let at = text.length - 1;
  while (at >= 0 && characters.test(text[at] as string)) at--;
  return at;
}

/** Whether a lone word names a tool; if the tools are unknown, whether it looks like `get_x` rather than prose. */
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

/**
 * The whole output is a name and, on the next line, its arguments object: GLM-4, and Functionary v3 if the
 * prompt ends with its `>>>`.
 *
 * Source: chat template of THUDM/glm-4-9b-chat on Hugging Face.
 */
export const nameAndJson: Dialect = {
  rung: 'name_and_json',
  read(output) {
    const [whole, name] = NAME_AND_JSON_HEAD.exec(output) ?? [];
    if (whole === undefined || name === undefined) return [];
    const call = namedCall(name, output.slice(whole.length));
    return 'malformed' in call ? [] : [call];
  },
};

const NAME_AND_JSON_HEAD = /^\s*([\p{L}_][\p{L}\p{M}\p{N}_.-]*)[ \t]*\r?\n\s*(?=\{)/u;

/** In order of precedence: dialects with tokens of their own first. */
export const DIALECTS: readonly Dialect[] = [
  harmony,
  deepseek,
  dsml,
  kimi,
  mistral,
  glm,
  gemma,
  functionGemma,
  functionary,
  qwen2,
  claudeXml,
  bfclXml,
  react,
  nameAndJson,
];
