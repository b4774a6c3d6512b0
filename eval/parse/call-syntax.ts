import type { Rung } from '../../contracts/judgement.ts';
import { type AgentCall, type CallElement, callKey, isCall } from '../calls/calls.ts';
import type { ToolSchema } from '../calls/tool-universe.ts';
import type { Json } from '../json/lossless.ts';
import { LiteralReader, NOT_READABLE, NotReadable } from './literals.ts';

/** The calls parsed from a model's text, and the parser that read them. */
export interface ParsedOutput {
  readonly calls: readonly CallElement[];
  readonly rung: Rung;
  /** Whether calls were nested as arguments of others, so that their written order is not the execution order. */
  readonly nested?: boolean | undefined;
}

/** The tools offered, by name, if known: they resolve names, positional arguments and unquoted texts. */
export type OfferedTools = ReadonlyMap<string, ToolSchema>;

/**
 * Calls as program text: `[f(a=1), g(b="x")]`, one or several per line, `x = f(a=1)` with `x` as label,
 * `print(f(a=1))`, and nested calls, which become calls before the outer one. Only whole lines count, so
 * prose that mentions `f()` does not match. Positional arguments get the tool's parameter names in order; if
 * the tool is unknown, they make a call malformed.
 */
export function readCallSyntax(output: string, tools?: OfferedTools): ParsedOutput | null {
  if (!output.includes('(')) return null;
  const reader = new CallReader(output, tools);
  for (let at = 0; at < output.length && !reader.exhausted; ) {
    const end = reader.readFrom(at) ?? Math.max(at, reader.endOfTooDeep);
    const lineEnd = output.indexOf('\n', end);
    at = lineEnd < 0 ? output.length : lineEnd + 1;
  }
  return reader.calls.some(isCall)
    ? {
        calls: reader.calls,
        rung: 'call_syntax',
        nested: reader.calls.some((call) => reader.inner.has(call)) || undefined,
      }
    : null;
}

class CallReader extends LiteralReader {
  readonly calls: CallElement[] = [];
  readonly inner = new Set<CallElement>();
  private readonly innerAt = new Map<string, number>();
  private readonly labels = new Set<string>();
  private readonly tools: OfferedTools | undefined;

  constructor(text: string, tools: OfferedTools | undefined) {
    super(text);
    this.tools = tools;
  }

  /** Reads the calls of a line, which may continue on the next ones; returns the end position, or null. */
  readFrom(start: number): number | null {
    this.seek(start);
    const before = this.calls.length;
    const read = this.attempt(() => {
      this.match(LINE_START);
      this.statements();
      this.match(AFTER_CALLS);
      if (this.position < this.text.length && this.peek() !== '\n') throw NOT_READABLE;
    });
    if (read) return this.position;
    this.calls.length = before;
    return null;
  }

  /** Runs a reader; on failure, restores the position and returns false. */
  private attempt(read: () => void): boolean {
    const before = this.position;
    try {
      read();
      return true;
    } catch (error) {
      if (!(error instanceof NotReadable)) throw error;
      this.seek(before);
      return false;
    }
  }

  private statements(): void {
    const bracketed = this.take('[');
    do {
      this.blank();
      if (bracketed && this.peek() === ']') break;
      this.statement();
      this.match(INLINE_BLANK);
      if (bracketed) this.blank();
    } while (this.match(SEPARATOR) !== null && (bracketed || this.match(LINE_END) === null));
    if (bracketed && !this.take(']')) throw NOT_READABLE;
  }

  private statement(): void {
    this.match(AWAIT);
    const name = this.name();
    this.match(INLINE_BLANK);
    if (this.peek() === '=') {
      this.take('=');
      this.match(INLINE_BLANK);
      this.match(AWAIT);
      this.call(this.name(), name);
      this.labels.add(name);
    } else if (name !== 'print' || !this.printed()) this.call(name, null);
  }

  private name(): string {
    const name = this.match(NAME);
    if (name === null) throw NOT_READABLE;
    return name;
  }

  /** Reads `(f(a=1), g())`, as in Gemma's `print(…)`; returns false if something else is printed. */
  private printed(): boolean {
    const before = this.calls.length;
    const read = this.attempt(() => {
      if (!this.take('(')) throw NOT_READABLE;
      do {
        this.blank();
        this.match(AWAIT);
        this.call(this.name(), null);
        this.blank();
      } while (this.take(','));
      if (!this.take(')')) throw NOT_READABLE;
    });
    if (!read) this.calls.length = before;
    return read;
  }

  /** Reads `(…)`, adds the call, and returns a reference to it. */
  private call(name: string, label: string | null, nested = false): string {
    const element = this.nested(() => this.arguments(bareName(name, this.tools)));
    const own = nested ? `call_${this.calls.length + 1}` : label;
    // The same nested expression twice is one result that is used twice.
    const known = nested && isCall(element) ? this.sameInner(element) : undefined;
    if (known !== undefined) return `$${known.label}$`;
    const call = isCall(element) ? { ...element, label: own } : element;
    if (nested) this.inner.add(call);
    this.calls.push(call);
    return `$${own}$`;
  }

  private sameInner(call: AgentCall): AgentCall | undefined {
    const key = callKey(call);
    const at = this.innerAt.get(key) ?? -1;
    const known = this.calls[at];
    // Calls from a line that failed to parse are no longer in the list.
    if (known !== undefined && this.inner.has(known) && isCall(known) && callKey(known) === key) return known;
    this.innerAt.set(key, this.calls.length);
    return undefined;
  }

  private arguments(name: string): CallElement {
    if (!this.take('(')) throw NOT_READABLE;
    const args: [string, Json][] = [];
    const positional: Json[] = [];
    for (;;) {
      this.blank();
      if (this.take(')')) break;
      const key = this.match(KEYWORD);
      if (key === null) positional.push(this.value());
      else args.push([key.replace(/\s*=$/, ''), this.value()]);
      this.blank();
      if (!this.take(',') && this.peek() !== ')') throw NOT_READABLE;
    }
    const parameters = Object.keys(this.tools?.get(name)?.properties ?? {});
    if (positional.length > parameters.length) return { malformed: { [name]: positional } };
    const named = positional.map((value, i): [string, Json] => [parameters[i] as string, value]);
    return { name, arguments: Object.fromEntries([...named, ...args]), label: null };
  }

  /** An unquoted date is a text, not a subtraction. */
  protected override operand(): Json {
    this.blank();
    return this.match(DATE) ?? super.operand();
  }

  /** A word is a constant, the label of an earlier call, a call, or an unquoted text. */
  protected override word(word: string): Json {
    const name = word + (this.match(NAME_REST) ?? '');
    if (this.peek() === '(') return this.call(name, null, true);
    if (this.labels.has(name)) return `$${name}$`;
    try {
      return super.word(name);
    } catch {
      return name;
    }
  }
}

/**
 * The tool's name without prefixes and suffixes that models add in program text: Gemma's module
 * `default_api.`, the namespaces `functions.` and `tools.`, and Llama's method `.call`. The name of an
 * offered tool is unchanged.
 */
export function bareName(name: string, tools?: OfferedTools): string {
  if (tools?.has(name)) return name;
  const bare = name.replace(WRAPPING, '');
  return bare !== '' && (tools === undefined || tools.has(bare)) ? bare : name;
}

const WRAPPING = /^(?:default_api|functions|tools)\.|\.call$/g;
const LINE_START = /[ \t]*(?:[-*•][ \t]+|\d+[.)][ \t]+)?`{0,2}/y;
const AFTER_CALLS = /[ \t]*`{0,2}[ \t]*[;,.]?[ \t]*(?:#[^\n]*)?\r?/y;
const INLINE_BLANK = /[ \t]*/y;
const SEPARATOR = /[,;]/y;
const LINE_END = /(?=[ \t]*(?:\r?\n|$))/y;
const AWAIT = /await[ \t]+/y;
const NAME = /[\p{L}_][\p{L}\p{M}\p{N}_.-]*/uy;
const NAME_REST = /[\p{L}\p{M}\p{N}_.-]*/uy;
const KEYWORD = /[\p{L}_][\p{L}\p{M}\p{N}_]*\s*=(?!=)/uy;
const DATE = /\d{4}-\d{2}-\d{2}(?![\w-])/y;
