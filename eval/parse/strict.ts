import { type CallElement, toCallElement } from '../calls/agent-call.ts';
import { type Json, parseJson } from '../json/lossless.ts';
import { readNative } from './normalize.ts';
import type { ParsedOutput } from './parsed-output.ts';

/**
 * Reads an output that is one JSON list of `{name, arguments}`, or tool calls in a provider's own format, and nothing
 * else around it. null if it is neither. Elements of the list may be malformed.
 */
export function parseStrict(output: string): ParsedOutput | null {
  let value: Json;
  try {
    value = parseJson(output);
  } catch {
    return null;
  }
  const native = readNative(value);
  if (native !== null) return { calls: native, rung: 'native' };
  if (!Array.isArray(value)) return null;
  const calls: CallElement[] = value.map(toCallElement);
  return { calls, rung: 'json' };
}
