import { RUN_SQL } from '../../../contracts/formulations/hybrid.ts';
import type { ModelTool } from '../../model/model.ts';
import { parametersOf } from '../../tools/parameters-of.ts';
import type { AgentContext } from '../agent.ts';

/** A tool of a hybrid task by the name that the farm has for it; null where it is not offered. */
export function offeredTool(
  name: string,
  { tools, offeredCall }: Pick<AgentContext, 'tools' | 'offeredCall'>,
): ModelTool | null {
  const shown = offeredCall({ name, arguments: {} }).name;
  return tools.find((tool) => tool.name === shown) ?? null;
}

/** The tools that are scalar APIs: each takes a list of inputs. */
export function scalarTools(tools: readonly ModelTool[]): readonly ModelTool[] {
  return tools.filter((tool) => parametersOf(tool).some(({ name }) => name === 'inputs'));
}

/** Whether the agent has to put what it fetched together by itself. */
export function isApart(context: Pick<AgentContext, 'tools' | 'offeredCall'>): boolean {
  return offeredTool(RUN_SQL, context) === null;
}
