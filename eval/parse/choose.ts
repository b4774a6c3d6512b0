import { type CallElement, isCall } from '../calls/agent-call.ts';

/** What one part of a text holds: a list of calls, or a call by itself. */
export interface Part {
  readonly calls: readonly CallElement[];
  readonly list: boolean;
}

/**
 * The calls that a text of several parts means: its last list, because models correct themselves; if there is no
 * list, all single calls in order. null if no part holds a well-formed call.
 */
export function chooseCalls(parts: readonly Part[]): readonly CallElement[] | null {
  const withCalls = parts.filter(({ calls }) => calls.some(isCall));
  const list = withCalls.findLast((part) => part.list);
  if (list !== undefined) return list.calls;
  return withCalls.length === 0 ? null : withCalls.flatMap(({ calls }) => calls);
}
