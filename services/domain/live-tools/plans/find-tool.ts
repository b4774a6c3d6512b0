import { didYouMean, nearestNames } from '../../../../contracts/wording.ts';
import { HttpProblem } from '../../../base/http/problem.ts';
import { referenceIn } from '../../tools/arguments/scope.ts';
import type { ToolDefinition } from '../../tools/arguments/tool-definition.ts';
import type { Plan } from '../../tools/plan/plan.ts';
import { initializeActiveData } from '../../tools/tools/initialize-active-data.ts';
import type { Toolbox } from '../toolboxes/toolbox.ts';
import { TOOLBOXES, type ToolFormulation } from '../toolboxes/toolboxes.ts';

/**
 * The tool of that name. Tools that are made for columns are those of the table that the arguments name
 * as `data_source`.
 * Throws UNKNOWN_TOOL with the nearest names.
 */
export function findTool(
  formulation: ToolFormulation,
  name: string,
  args: unknown,
  find: (handle: string) => Plan | undefined,
): ToolDefinition {
  if (name === initializeActiveData.name) return initializeActiveData;
  const toolbox: Toolbox = TOOLBOXES[formulation];
  const keys = toolbox.madeForColumns ? sourceKeys(args, find) : [];
  const tool = toolbox.find(name, keys);
  if (tool) return tool;
  const suggestions = nearestNames(name, toolbox.names(keys));
  throw new HttpProblem('UNKNOWN_TOOL', `There is no tool ${name.slice(0, 80)}${didYouMean(suggestions)}`, {
    errors: [{ field: 'tool', code: 'unknown_tool', message: `unknown: ${name.slice(0, 80)}`, suggestions }],
  });
}

function sourceKeys(args: unknown, find: (handle: string) => Plan | undefined): string[] {
  const source =
    typeof args === 'object' && args !== null && 'data_source' in args ? args.data_source : undefined;
  if (typeof source !== 'string') return [];
  return find(referenceIn(source) ?? source)?.columns.map(({ key }) => key) ?? [];
}
