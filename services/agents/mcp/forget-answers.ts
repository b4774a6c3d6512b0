import type { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';

/**
 * Lets go of the answers that a session has sent: the SDK keeps every JSON answer as long as its session
 * (modelcontextprotocol/typescript-sdk#2559) and has no public way to drop one. Where its inside looks different from
 * what is known here, nothing is done. Answers how many were dropped.
 */
export function forgetAnswers(transport: StreamableHTTPServerTransport): number {
  const inner: unknown = Reflect.get(transport, '_webStandardTransport');
  if (typeof inner !== 'object' || inner === null) return 0;
  const streams: unknown = Reflect.get(inner, '_streamMapping');
  const asked: unknown = Reflect.get(inner, '_requestToStreamMapping');
  if (!(streams instanceof Map) || !(asked instanceof Map)) return 0;
  const pending = new Set<unknown>(asked.values());
  const answered = [...streams].filter(([id, stream]) => 'resolveJson' in stream && !pending.has(id));
  for (const [id] of answered) streams.delete(id);
  return answered.length;
}
