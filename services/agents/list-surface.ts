import { type ListAddress, printListAddress } from '../tool-lists/list-address.ts';
import type { AgentContext } from './agent-context.ts';
import { callTool } from './call-tool.ts';
import type { Surface } from './surface.ts';

/** A list of tools at its own address: calls are carried out, and nobody keeps a record. Throws as `ToolLists.get`. */
export function listSurface({ lists, backend }: AgentContext, address: ListAddress): Surface {
  const list = lists.get(address);
  return {
    base: `/lists/${printListAddress(address)}`,
    list,
    evidence: false,
    call: async (call) => (await callTool(backend, list, call)).answer,
  };
}
