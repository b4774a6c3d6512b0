import type { ArgumentFault } from '../../contracts/report.ts';
import type { AgentCall } from '../calls/agent-call.ts';
import { pairByName } from '../calls/pair-calls.ts';
import type { ToolSchema } from '../calls/tool-universe.ts';
import type { Json } from '../json/lossless.ts';
import { compareArguments } from './slot.ts';
import { classifyValue } from './value-fault.ts';

/** The arguments that differ in calls of the right tool, which pair as for slots; references are already replaced. */
export function findArgumentFaults(
  gold: readonly AgentCall[],
  predicted: readonly AgentCall[],
  tools: ReadonlyMap<string, ToolSchema>,
): ArgumentFault[] {
  const names = (calls: readonly AgentCall[]) => calls.map(({ name }) => name);
  return pairByName(names(gold), names(predicted)).flatMap(([g, p]) => {
    const [expected, given] = [gold[g] as AgentCall, predicted[p] as AgentCall];
    const { differences } = compareArguments(expected.arguments, given.arguments, tools.get(expected.name));
    return differences.map((found) => ({
      call: g,
      tool: expected.name,
      argument: found.argument,
      kind: found.kind,
      fault: found.kind === 'value' ? classifyValue(found.gold as Json, found.predicted as Json) : null,
    }));
  });
}
