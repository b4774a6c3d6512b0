import { isCall, toCallElement } from '../calls/agent-call.ts';
import { tryJson } from './json-text.ts';
import type { ParsedOutput } from './parsed-output.ts';
import { readProvider } from './providers/read-provider.ts';

/**
 * Reads an output that is one JSON list of `{name, arguments}`, or tool calls in a provider's own format, and nothing
 * else around it. null if it is neither, or if an element of it is not a call.
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
