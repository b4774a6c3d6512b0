import { type CallElement, isCall, toCallElement } from '../calls/calls.ts';
import { isObject, type Json } from '../json/lossless.ts';
import { bareName, type OfferedTools, type ParsedOutput, readCallSyntax } from './call-syntax.ts';
import { DIALECTS, harmonyAnswer } from './dialects.ts';
import { LiteralReader, NotReadable } from './literals.ts';
import { readProvider } from './providers.ts';
import { bareValue, readJson, readJsonLines, readLoosely, tryJson, withoutFence } from './read-json.ts';

/** The content of one part of a text: a list of calls, or a single call. */
export interface Part {
  readonly calls: readonly CallElement[];
  readonly list: boolean;
}

/**
 * The calls of a text with several parts: its last list, since models correct themselves; without a list, all
 * single calls in order. null if no part contains a well-formed call.
 */
export function chooseCalls(parts: readonly Part[]): readonly CallElement[] | null {
  const withCalls = parts.filter(({ calls }) => calls.some(isCall));
  const list = withCalls.findLast((part) => part.list);
  if (list !== undefined) return list.calls;
  return withCalls.length === 0 ? null : withCalls.flatMap(({ calls }) => calls);
}

/** Removes the chat template's tokens around the output, which some decoders keep: role header, end of turn. */
export function trimSpecialTokens(output: string): string {
  let text = output.trim();
  for (let length = -1; length !== text.length; ) {
    length = text.length;
    text = text.replace(LEADING, '').replace(TRAILING, '').trim();
  }
  return text;
}

/**
 * Replaces every special token, and every element that only wraps program text or JSON, by a line break:
 * `<|python_start|>[f(a=1)]<|python_end|>`, `<TOOLCALL>[…]</TOOLCALL>`.
 */
export function unwrap(output: string): string {
  return output.replace(WRAPPER, '\n');
}

const LEADING =
  /^(?:<s>|<bos>|<\|begin_of_text\|>|<\|start_header_id\|>assistant<\|end_header_id\|>|<\|im_start\|>(?:assistant)?|<\|assistant\|>|<start_of_turn>model\n|<\|turn>model\n|<\|start\|>assistant(?=<\|message\|>))/;
const TRAILING =
  /(?:<\/s>|<eos>|<pad>|<end_of_turn>|<turn\|>|\[EOS\]|<｜end▁of▁sentence｜>|<\|(?:eot_id|eom_id|eot|im_end|end_of_text|endoftext|end|user|observation|stop|return|END_OF_TURN_TOKEN|end_of_role|assistant_end)\|>)$/;
const WRAPPER =
  /<\|\w{1,40}\|>|<\/?(?:TOOLCALL|tool_calls?|tool_code|function_calls?|execute_ipython|python|functions?|code)>/g;

/**
 * Removes thoughts: calls that a model only considered are not its answer. The text after the last closing
 * marker is visible; a marker opened after that and never closed splits the rest.
 */
export function withoutThoughts(output: string) {
  const closed = Math.max(0, ...MARKS.map(([, closing]) => endOfLast(output, closing)));
  const rest = output.slice(closed);
  const openings = MARKS.map(([opening]) => ({ opening, at: rest.indexOf(opening) })).filter(
    ({ at }) => at >= 0,
  );
  const [first] = openings.sort((a, b) => a.at - b.at);
  if (first === undefined) return { visible: rest, unclosed: null };
  return { visible: rest.slice(0, first.at), unclosed: rest.slice(first.at + first.opening.length) };
}

function endOfLast(text: string, mark: string): number {
  const at = text.lastIndexOf(mark);
  return at < 0 ? 0 : at + mark.length;
}

/** Markers of thoughts: most models; Mistral; Kimi; Seed-OSS; Cohere; Apertus; Gemma 4. */
const MARKS = [
  ['<think>', '</think>'],
  ['<thinking>', '</thinking>'],
  ['[THINK]', '[/THINK]'],
  ['◁think▷', '◁/think▷'],
  ['<seed:think>', '</seed:think>'],
  ['<|START_THINKING|>', '<|END_THINKING|>'],
  ['<|inner_prefix|>', '<|inner_suffix|>'],
  ['<|channel>thought', '<channel|>'],
] as const;

/** JSON or Python lists and objects of calls anywhere in the text, amid prose. */
export function readEmbedded(output: string): ParsedOutput | null {
  const reader = new LiteralReader(output);
  const parts: Part[] = [];
  let isJson = true;
  for (let at = nextBracket(output, 0); at >= 0 && !reader.exhausted; ) {
    const part = readAt(reader, at);
    if (part !== null) {
      parts.push(part);
      isJson &&= tryJson(output.slice(at, reader.position)) !== undefined;
    }
    at = nextBracket(output, part === null ? at + 1 : reader.position);
    while (at >= 0 && reader.isHopeless(at)) at = nextBracket(output, at + 1);
  }
  const calls = chooseCalls(parts);
  return calls === null ? null : { calls, rung: isJson ? 'json_in_text' : 'python_literal' };
}

function readAt(reader: LiteralReader, at: number): Part | null {
  reader.seek(at);
  try {
    const value = reader.value();
    // A lone `{"name": {…}}` in prose is more likely data than a call.
    if (!Array.isArray(value) && !(isObject(value) && Object.keys(value).length > 1)) return null;
    const spelled = readLoosely(value);
    return spelled === null ? null : { calls: spelled.calls, list: Array.isArray(value) };
  } catch (error) {
    if (!(error instanceof NotReadable)) throw error;
    reader.seek(at);
    return null;
  }
}

function nextBracket(text: string, from: number): number {
  BRACKET.lastIndex = from;
  return BRACKET.exec(text)?.index ?? -1;
}

const BRACKET = /[[{]/g;

/**
 * Blocks between ``` fences, each containing JSON, JSON lines, Python literals or calls; the last fence may
 * be missing. An empty list in a block means that nothing is to be called.
 */
export function readFenced(output: string, tools?: OfferedTools): ParsedOutput | null {
  const parts: Part[] = [];
  let at = output.indexOf(FENCE);
  while (at >= 0) {
    const closing = output.indexOf(FENCE, at + FENCE.length);
    const block = output
      .slice(at + FENCE.length, closing < 0 ? undefined : closing)
      .replace(/^[\w-]*[ \t]*\r?\n/, '');
    const parsed = block.trim() === '' ? null : readBlock(block, tools);
    if (parsed !== null)
      parts.push({ calls: parsed.calls, list: /^\s*\[/.test(block) || parsed.calls.length > 1 });
    at = closing < 0 ? -1 : output.indexOf(FENCE, closing + FENCE.length);
  }
  const saysNone = parts.some(({ calls }) => calls.length === 0);
  const calls = chooseCalls(parts) ?? (saysNone ? [] : null);
  return calls === null ? null : { calls, rung: 'fenced' };
}

const FENCE = '```';

function readBlock(block: string, tools?: OfferedTools): ParsedOutput | null {
  return readJson(block) ?? readJsonLines(block) ?? readEmbedded(block) ?? readCallSyntax(block, tools);
}

/** The calls at the end of a text: a list or object, or the last line as program text. */
export function readTrailing(output: string, tools?: OfferedTools): ParsedOutput | null {
  const text = withoutFence(output.trim());
  return readTrailingValue(text) ?? readCallSyntax(text.slice(text.lastIndexOf('\n') + 1), tools);
}

function readTrailingValue(text: string): ParsedOutput | null {
  const reader = new LiteralReader(text);
  let end = 0;
  for (const { index } of text.matchAll(/[[{]/g)) {
    if (reader.exhausted) return null;
    // A value nested in one that ends earlier ends earlier too.
    if (index < end || reader.isHopeless(index)) continue;
    const calls = readToEnd(reader, index);
    if (calls !== null) return { calls, rung: 'json_in_text' };
    end = reader.position;
  }
  return null;
}

function readToEnd(reader: LiteralReader, at: number): readonly CallElement[] | null {
  reader.seek(at);
  try {
    const value = reader.value();
    const calls = reader.position === reader.text.length ? readLoosely(value)?.calls : undefined;
    return calls?.some(isCall) ? calls : null;
  } catch (error) {
    if (!(error instanceof NotReadable)) throw error;
    reader.seek(at);
    return null;
  }
}

/**
 * `<tool_call>{"name": …}</tool_call>`, `<function=name>{…}</function>` and `<invoke name="…"><parameter …>`
 * elements, in order. A closing tag may be missing.
 */
export function readXml(output: string, tools?: OfferedTools): ParsedOutput | null {
  const calls: CallElement[] = [];
  OPENING.lastIndex = 0;
  for (let open = OPENING.exec(output); open !== null; open = OPENING.exec(output)) {
    const [tag, , fn, invoke] = open;
    const start = open.index + tag.length;
    const end = endOf(output, start);
    const body = output.slice(start, end);
    const name = fn ?? invoke;
    if (name !== undefined) calls.push(namedCall(name, body, tools));
    // A wrapper around `<function=…>` or `<invoke …>` has no text of its own.
    else if (body.trim() !== '') calls.push(...(readBody(body) ?? [{ malformed: body.trim() }]));
    OPENING.lastIndex = end;
  }
  return calls.some(isCall) ? { calls, rung: 'xml' } : null;
}

const NAME = /^[\p{L}_][\p{L}\p{M}\p{N}_.-]*$/u;
const OPENING =
  /<(tool_call|function_call)>|<function=([\p{L}\p{N}_.-]+)>|<(?:\w+:)?invoke\s+name="([^"<>]*)"\s*>/gu;
const BOUNDARY = /<\/?(?:\w+:)?(?:tool_call|function_call|function|invoke)\b/g;
const PARAMETER = /<(?:\w+:)?parameter(?:=([\p{L}\p{N}_.-]+)|\s+name="([^"<>]*)")\s*>([\s\S]*)$/u;

function endOf(output: string, start: number): number {
  BOUNDARY.lastIndex = start;
  return BOUNDARY.exec(output)?.index ?? output.length;
}

/** A bare name is a call without arguments, as written by GLM and others. */
function readBody(body: string): readonly CallElement[] | null {
  if (NAME.test(body.trim())) return [{ name: body.trim(), arguments: {}, label: null }];
  return (readJson(body) ?? readEmbedded(body))?.calls ?? null;
}

function namedCall(name: string, body: string, tools?: OfferedTools): CallElement {
  const value = tryJson(body.trim());
  if (value !== undefined && isObject(value)) return { name, arguments: value, label: null };
  const parameters = body.split(/<\/(?:\w+:)?parameter>/).flatMap((part): [string, Json][] => {
    const [, short, long, text] = PARAMETER.exec(part) ?? [];
    if (text === undefined) return [];
    const trimmed = text.replace(/^\n|\n$/g, '');
    const key = short ?? long ?? '';
    return [[key, bareValue(trimmed, tools?.get(name)?.properties[key])]];
  });
  if (parameters.length === 0 && body.trim() !== '') return { malformed: { [name]: body.trim() } };
  return { name, arguments: Object.fromEntries(parameters), label: null };
}

/**
 * Reads the calls in any model output, by the first of these that finds some: the whole text as JSON, JSON
 * lines, the dialects of model families, fenced blocks, `<tool_call>` elements, JSON or Python literals
 * anywhere in the text, and `f(a=1)` calls. Thoughts do not count. An empty list means that nothing is to be
 * called; null, that nothing could be read. Linear in the text's length; never throws.
 *
 * @param tools the tools offered, if known, to interpret names, positional arguments and bare values.
 */
export function parseLenient(output: string, tools?: OfferedTools): ParsedOutput | null {
  const { visible, unclosed } = withoutThoughts(output);
  const parsed = readVisible(visible, tools);
  const read = hasCalls(parsed) || unclosed === null ? parsed : (readUnclosed(unclosed, tools) ?? parsed);
  return read === null || tools === undefined
    ? read
    : { ...read, calls: read.calls.map((call) => named(call, tools)) };
}

function readVisible(visible: string, tools?: OfferedTools): ParsedOutput | null {
  const text = trimSpecialTokens(visible);
  const whole = firstWithCalls(text, [readJson, readJsonLines, readDialects], tools);
  if (hasCalls(whole)) return whole;
  const answer = harmonyAnswer(text) ?? text;
  const bare = unwrap(answer);
  return (
    firstWithCalls(answer, LADDER, tools) ??
    (bare === answer ? null : firstWithCalls(bare, LADDER, tools)) ??
    whole
  );
}

/** A call that begins with its dialect's own token always counts; any other only at the end of the output. */
function readUnclosed(thoughts: string, tools?: OfferedTools): ParsedOutput | null {
  const text = trimSpecialTokens(thoughts);
  const parsed = readDialects(text, tools) ?? readXml(text, tools);
  return hasCalls(parsed) ? parsed : readTrailing(text, tools);
}

type Reader = (output: string, tools?: OfferedTools) => ParsedOutput | null;

/** The result of the first reader that finds calls; without any, an empty list if a reader found one. */
function firstWithCalls(
  output: string,
  readers: readonly Reader[],
  tools?: OfferedTools,
): ParsedOutput | null {
  let none: ParsedOutput | null = null;
  for (const read of readers) {
    const parsed = read(output, tools);
    if (hasCalls(parsed)) return parsed;
    none ??= parsed;
  }
  return none;
}

function hasCalls(parsed: ParsedOutput | null): boolean {
  return parsed !== null && parsed.calls.length > 0;
}

function readDialects(output: string, tools?: OfferedTools): ParsedOutput | null {
  for (const { rung, read } of DIALECTS) {
    const calls = read(output, tools);
    if (calls.some(isCall)) return { calls, rung };
  }
  return null;
}

function named(call: CallElement, tools: OfferedTools): CallElement {
  return isCall(call) ? { ...call, name: bareName(call.name, tools) } : call;
}

const LADDER: readonly Reader[] = [
  readJson,
  readJsonLines,
  readFenced,
  readXml,
  readEmbedded,
  readCallSyntax,
];

/**
 * Reads an output that is exactly one JSON list of `{name, arguments}`, or tool calls in a provider's format.
 * null for anything else, or if an element is not a call.
 */
export function parseStrict(output: string): ParsedOutput | null {
  const value = tryJson(output);
  if (value === undefined) return null;
  const native = readProvider(value);
  if (native?.every(isCall)) return { calls: native, rung: 'native' };
  if (!Array.isArray(value)) return null;
  const calls = value.map(toCallElement);
  return calls.every(isCall) ? { calls, rung: 'json' } : null;
}
