import { type CallElement, isCall } from '../calls/agent-call.ts';
import type { Json } from '../json/lossless.ts';
import { LiteralReader, NOT_READABLE, NotReadable } from './literal-reader.ts';
import type { ParsedOutput } from './parsed-output.ts';

/**
 * Calls as program text: `[f(a=1), g(b="x")]`, one or several a line, `x = f(a=1)` with `x` as label, and calls as
 * arguments of calls, which become calls before it. Only whole lines count, so that prose which mentions `f()` does
 * not. Arguments without a name make a call malformed.
 */
export function readCallSyntax(output: string): ParsedOutput | null {
  const reader = new CallReader(output);
  for (let at = 0; at < output.length && !reader.exhausted; ) {
    const end = reader.readFrom(at);
    const lineEnd = output.indexOf('\n', end ?? at);
    at = lineEnd < 0 ? output.length : lineEnd + 1;
  }
  return reader.calls.some(isCall) ? { calls: reader.calls, rung: 'call_syntax' } : null;
}

class CallReader extends LiteralReader {
  readonly calls: CallElement[] = [];
  private readonly labels = new Set<string>();

  /** Reads the calls of a line, which may go on over the next ones; where they end, or null if it holds none. */
  readFrom(start: number): number | null {
    this.seek(start);
    const before = this.calls.length;
    try {
      this.match(LINE_START);
      this.statements();
      this.match(AFTER_CALLS);
      if (this.position < this.text.length && this.peek() !== '\n') throw NOT_READABLE;
      return this.position;
    } catch (error) {
      if (!(error instanceof NotReadable)) throw error;
      this.calls.length = before;
      return null;
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
    const name = this.match(NAME);
    if (name === null) throw NOT_READABLE;
    this.match(INLINE_BLANK);
    if (this.peek() === '=') {
      this.take('=');
      this.match(INLINE_BLANK);
      const called = this.match(NAME);
      if (called === null) throw NOT_READABLE;
      this.call(called, name);
      this.labels.add(name);
    } else this.call(name, null);
  }

  /** Reads `(…)`, adds the call, and gives the reference to it. */
  private call(name: string, label: string | null, nested = false): string {
    const element = this.nested(() => this.arguments(name));
    const own = nested ? `call_${this.calls.length + 1}` : label;
    this.calls.push(isCall(element) ? { ...element, label: own } : element);
    return `$${own}$`;
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
    if (positional.length > 0) return { malformed: { [name]: positional } };
    return { name, arguments: Object.fromEntries(args), label: null };
  }

  /** A word may be a constant, the label of an earlier call, a call, or a text without quotes. */
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

const LINE_START = /[ \t]*(?:[-*•][ \t]+|\d+[.)][ \t]+)?`{0,2}/y;
const AFTER_CALLS = /[ \t]*`{0,2}[ \t]*[;,.]?[ \t]*(?:#[^\n]*)?\r?/y;
const INLINE_BLANK = /[ \t]*/y;
const SEPARATOR = /[,;]/y;
const LINE_END = /(?=[ \t]*(?:\r?\n|$))/y;
const NAME = /[A-Za-z_][\w.-]*/y;
const NAME_REST = /[\w.-]*/y;
const KEYWORD = /[A-Za-z_]\w*\s*=(?!=)/y;
