import { z } from 'zod';
import { RUN_SQL } from '../../../contracts/formulations/hybrid.ts';
import type { ModelTool } from '../../model/model.ts';
import type { AgentContext } from '../agent.ts';

/** A tool of a hybrid task by the name that the farm has for it; null where it is not offered. */
export function offeredTool(
  name: string,
  { callable, offeredCall }: Pick<AgentContext, 'callable' | 'offeredCall'>,
): ModelTool | null {
  const shown = offeredCall({ name, arguments: {} }).name;
  return callable.find((tool) => tool.name === shown) ?? null;
}

/** The tools that are scalar APIs: each takes a list of inputs, which are objects. */
export function scalarTools(tools: readonly ModelTool[]): readonly ModelTool[] {
  return tools.filter((tool) => inputsOf(tool) !== null);
}

/** The schema of one input of a scalar API, whatever it is called; null for another tool. */
export function inputsOf({ parameters }: ModelTool): Schema | null {
  const read = withInputs.safeParse(parameters);
  if (!read.success) return null;
  const [items] = Object.values(read.data.properties).flatMap(
    (each) => listOfObjects.safeParse(each).data ?? [],
  );
  return items?.items ?? null;
}

type Schema = Readonly<Record<string, unknown>>;
const withInputs = z.object({ properties: z.record(z.string(), z.unknown()) });
const listOfObjects = z.object({ items: z.looseObject({ properties: z.looseObject({}) }) });

/** Whether the agent has to put what it fetched together by itself. */
export function isApart(context: Pick<AgentContext, 'callable' | 'offeredCall'>): boolean {
  return offeredTool(RUN_SQL, context) === null;
}
