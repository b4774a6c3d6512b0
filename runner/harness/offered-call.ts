import { writeQueryText } from '../../contracts/query-text/write-query-text.ts';
import { QUERY_TOOL } from '../../contracts/query-tool.ts';
import { collectionTools, QUERY_TEXT } from '../../contracts/query-variants.ts';
import type { Call } from '../../contracts/sample.ts';
import type { ModelTool } from '../model/model.ts';
import { renameArguments } from './rename-arguments.ts';
import type { OfferedTools } from './tool-lists.ts';

/** A call of the farm as the list of tools has it: under its names, as one of a tool for its collection, or as a query text. */
export function offeredCall(
  call: Pick<Call, 'name' | 'arguments'>,
  { tools, real }: Pick<OfferedTools, 'tools' | 'real'>,
): Pick<Call, 'name' | 'arguments'> {
  for (const [shown, { name, args }] of real) {
    if (name !== call.name) continue;
    const hidden = new Map([...args].map(([alias, inTruth]) => [inTruth, alias]));
    const given = name === QUERY_TOOL && hidden.has(QUERY_TEXT) ? asText(call) : call.arguments;
    return { name: shown, arguments: renameArguments(given, hidden) as Call['arguments'] };
  }
  if (tools.some((tool) => tool.name === call.name && takesText(tool))) {
    return { name: call.name, arguments: asText(call) };
  }
  const { collection_name: collection, ...others } = call.arguments;
  const isOffered = (wanted: string) => tools.some(({ name }) => name === wanted);
  if (isOffered(call.name) || typeof collection !== 'string') return call;
  const [own] = collectionTools([collection]).keys();
  return own !== undefined && isOffered(own) ? { name: own, arguments: others } : call;
}

function takesText({ name, parameters: { properties } }: ModelTool): boolean {
  return (
    name === QUERY_TOOL && typeof properties === 'object' && properties !== null && QUERY_TEXT in properties
  );
}

function asText({ arguments: args }: Pick<Call, 'arguments'>): Call['arguments'] {
  return { [QUERY_TEXT]: writeQueryText(args) };
}
