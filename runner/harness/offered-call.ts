import { writeQueryText } from '../../contracts/query-text/write-query-text.ts';
import { QUERY_TOOL } from '../../contracts/query-tool.ts';
import { collectionTools, QUERY_TEXT } from '../../contracts/query-variants.ts';
import type { Call } from '../../contracts/sample.ts';
import type { ModelTool } from '../model/model.ts';
import { renameArguments } from './rename-arguments.ts';
import type { OfferedTools } from './tool-lists.ts';

type NamedCall = Pick<Call, 'name' | 'arguments'>;
type Offered = Pick<OfferedTools, 'callable' | 'real'>;

/**
 * A call of the farm as the list of tools has it: under its names, as one of a tool for its collection, or as a query
 * text. A call of a tool that is not offered stays as it is.
 */
export function offeredCall(call: NamedCall, offered: Offered): NamedCall {
  return underShownName(call, offered) ?? underShownName(ofOneCollection(call), offered) ?? call;
}

/** The call under the name and the arguments that are shown; null where its tool is not offered. */
function underShownName(call: NamedCall | null, { callable, real }: Offered): NamedCall | null {
  if (call === null) return null;
  for (const [shown, { name, args }] of real) {
    if (name !== call.name) continue;
    const hidden = new Map([...args].map(([alias, inTruth]) => [inTruth, alias]));
    const given = name === QUERY_TOOL && hidden.has(QUERY_TEXT) ? asText(call) : call.arguments;
    return { name: shown, arguments: renameArguments(given, hidden) as Call['arguments'] };
  }
  // Where names are not all real, a tool of that name may be another domain's.
  const tool = real.size > 0 ? undefined : callable.find(({ name }) => name === call.name);
  if (tool === undefined) return null;
  return takesText(tool) ? { name: call.name, arguments: asText(call) } : call;
}

/** A call of the query tool as one of the tool of its collection; null for a call of another tool. */
function ofOneCollection({ name, arguments: args }: NamedCall): NamedCall | null {
  const { collection_name: collection, ...others } = args;
  if (name !== QUERY_TOOL || typeof collection !== 'string') return null;
  const [own] = collectionTools([collection]).keys();
  return own === undefined ? null : { name: own, arguments: others };
}

function takesText({ name, parameters: { properties } }: ModelTool): boolean {
  return (
    name === QUERY_TOOL && typeof properties === 'object' && properties !== null && QUERY_TEXT in properties
  );
}

function asText({ arguments: args }: NamedCall): Call['arguments'] {
  return { [QUERY_TEXT]: writeQueryText(args) };
}
