import { callTool } from '../calls/call-tool.ts';
import { corruptsAnswers } from '../faults/inject-fault.ts';
import type { AgentSession } from '../surface/surface.ts';
import { type ListAddress, printListAddress } from '../tool-lists/list-address.ts';
import type { AgentContext } from './agent-context.ts';

/** A list of tools at its own address: calls are carried out and not recorded. Throws as `ToolLists.get`. */
export function listSession(
  { lists, backend, unrecorded, examKey }: AgentContext,
  address: ListAddress,
): AgentSession {
  const { service, formulation } = lists.get(address, examKey).source;
  const toolset = `${service.split}/${service.db}/${formulation}`;
  return {
    base: `/lists/${printListAddress(address)}`,
    get list() {
      return lists.get(address, examKey);
    },
    evidence: false,
    corruptsAnswers: corruptsAnswers(unrecorded?.profile),
    call: async (call) => {
      const list = lists.get(address, examKey);
      const carryOut = async () => (await callTool(backend, list, call)).answer;
      if (!unrecorded || list.isSearch(call.name)) return carryOut();
      const real = list.tryRealCall(call.name, call.arguments);
      const { name: tool, arguments: args } = real ?? { name: null, arguments: [call.name, call.arguments] };
      const fault = unrecorded.due({ toolset, tool, arguments: args, view: call.view });
      return fault ? fault(carryOut, call.headers) : carryOut();
    },
  };
}
