import type { CallElement } from '../calls/agent-call.ts';
import { isCall } from '../calls/agent-call.ts';
import { readCallSyntax } from './call-syntax.ts';
import { LiteralReader, NotReadable } from './literal-reader.ts';
import { withoutFence } from './named-call.ts';
import { readLoosely } from './normalize.ts';
import type { OfferedTools, ParsedOutput } from './parsed-output.ts';

/**
 * The calls that a text ends with: a list or object, or the last line as program text. What else it mentions does not
 * count, so that thoughts which break off are none.
 */
export function readTrailing(output: string, tools?: OfferedTools): ParsedOutput | null {
  const text = withoutFence(output.trim());
  return readTrailingValue(text) ?? readTrailingCalls(text, tools);
}

function readTrailingValue(text: string): ParsedOutput | null {
  const reader = new LiteralReader(text);
  let end = 0;
  for (const { index } of text.matchAll(/[[{]/g)) {
    if (reader.exhausted) return null;
    // What is in a value that ends earlier ends earlier still.
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

function readTrailingCalls(text: string, tools?: OfferedTools): ParsedOutput | null {
  return readCallSyntax(text.slice(text.lastIndexOf('\n') + 1), tools);
}
