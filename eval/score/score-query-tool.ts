import type { QueryScore } from '../../contracts/query-score.ts';
import { QUERY_TOOL } from '../../contracts/query-tool.ts';
import type { Sample } from '../../contracts/sample.ts';
import { type CallElement, isCall } from '../calls/agent-call.ts';
import type { ToolSchema } from '../calls/tool-universe.ts';
import type { JsonObject } from '../json/lossless.ts';
import { scoreDbGorilla } from '../metrics/dbgorilla.ts';

/** How calls of the `query` tool compare with a sample's gold call; null for samples whose gold calls other tools. */
export function scoreQueryTool(
  sample: Sample,
  elements: readonly CallElement[],
  tools: ReadonlyMap<string, ToolSchema>,
): QueryScore | null {
  const [gold, ...others] = sample.output;
  if (gold?.name !== QUERY_TOOL || others.length > 0) return null;
  const collections = tools.get(QUERY_TOOL)?.properties.collection_name?.enum;
  return scoreDbGorilla(
    gold.arguments as JsonObject,
    elements.filter(isCall),
    collections?.map(String) ?? null,
  );
}
