import { isCall } from '../../calls/agent-call.ts';
import type { ToolSchema } from '../../calls/tool-universe.ts';
import type { BfclFunction } from '../../metrics/bfcl/types.ts';
import { parseLenient } from '../../parse/lenient.ts';
import { type Decoded, type DecodedCall, NOT_CALLS } from './decoded.ts';

/** The calls that the ladder of `rookery score` reads in a text, or null if it reads none. */
export function readLeniently(text: string, functions: readonly BfclFunction[]): Decoded | null {
  const tools = new Map(functions.map(({ name, parameters }): [string, ToolSchema] => [name, parameters]));
  const parsed = parseLenient(text, tools);
  if (parsed === null) return null;
  const calls = parsed.calls
    .filter(isCall)
    .map(({ name, arguments: args }): DecodedCall => ({ name, arguments: args }));
  return calls.length === parsed.calls.length ? calls : NOT_CALLS;
}
