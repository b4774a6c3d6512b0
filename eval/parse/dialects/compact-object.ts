import type { CallElement } from '../../calls/agent-call.ts';
import { isObject, type Json, type JsonObject } from '../../json/lossless.ts';
import { LiteralReader, NOT_READABLE, NotReadable } from '../literal-reader.ts';
import { before, partsAfter } from './dialect.ts';

/**
 * Calls as `call:name{key:value,…}` after an opening token, with bare keys, and texts between two quote tokens, which
 * is how the Gemma models write objects. A text without quotes ends at a comma or bracket.
 */
export function readCompactCalls(
  output: string,
  opening: RegExp,
  closing: string,
  quote: string,
): CallElement[] | null {
  const calls = [...partsAfter(output, opening)].flatMap(({ body }): CallElement[] => {
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
  return calls.length > 0 ? calls : null;
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
