import { QUERY_TOOL } from '../../contracts/query-tool.ts';
import { collectionTools, toBaseCall } from '../../contracts/query-variants.ts';
import type { Sample } from '../../contracts/sample.ts';
import { isCall } from '../calls/agent-call.ts';
import type { ToolSchema } from '../calls/tool-universe.ts';
import type { ParsedAttempt } from './read-attempt.ts';

/** An attempt at a task of the `query` tool, in whatever variant it was offered, in calls of the base tool. */
export function inBaseCalls(
  attempt: ParsedAttempt,
  sample: Sample,
  tools: ReadonlyMap<string, ToolSchema>,
): ParsedAttempt {
  if (attempt.calls === null || sample.output[0]?.name !== QUERY_TOOL) return attempt;
  const collections = tools.get(QUERY_TOOL)?.properties.collection_name?.enum ?? [];
  const names = collectionTools(collections.map(String));
  return { ...attempt, calls: attempt.calls.map((call) => (isCall(call) ? toBaseCall(call, names) : call)) };
}
