import { HttpProblem } from '../../../base/http/problem.ts';
import { didYouMean, nearestNames } from '../../../base/nearest.ts';
import { referenceIn } from '../../tools/arguments/scope.ts';
import type { ToolDefinition } from '../../tools/arguments/tool-definition.ts';
import type { Plan } from '../../tools/plan/plan.ts';
import { SLOT_TOOLS } from '../../tools/registry.ts';
import { findSelTool } from '../../tools/sel/find-sel-tool.ts';
import { getterName } from '../../tools/sel/getter.ts';
import { SEL_TOOLS } from '../../tools/sel/sel-tools.ts';
import { initializeActiveData } from '../../tools/tools/initialize-active-data.ts';

/** The formulations whose calls are tools. */
export const TOOL_FORMULATIONS = ['slot', 'sel'] as const;
export type ToolFormulation = (typeof TOOL_FORMULATIONS)[number];

/**
 * The tool of that name. The getters of SEL are those of the table that the arguments name as `data_source`.
 * Throws UNKNOWN_TOOL with the nearest names.
 */
export function findTool(
  formulation: ToolFormulation,
  name: string,
  args: unknown,
  find: (handle: string) => Plan | undefined,
): ToolDefinition {
  if (name === initializeActiveData.name) return initializeActiveData;
  const keys = formulation === 'sel' ? sourceKeys(args, find) : [];
  const tool = formulation === 'slot' ? ownProperty(SLOT_TOOLS, name) : findSelTool(name, keys);
  if (tool) return tool;
  const known =
    formulation === 'slot' ? Object.keys(SLOT_TOOLS) : [...Object.keys(SEL_TOOLS), ...keys.map(getterName)];
  const suggestions = nearestNames(name, known);
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

function ownProperty<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
