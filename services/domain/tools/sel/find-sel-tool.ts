import { getterKey } from '../../../../contracts/getter.ts';
import type { ToolDefinition } from '../arguments/tool-definition.ts';
import { getterTool, SEL_TOOLS } from './sel-tools.ts';

/**
 * The SEL tool of that name: a fixed one, or the getter of one of the given columns (those of the table the
 * call names as its data source).
 */
export function findSelTool(name: string, keys: readonly string[]): ToolDefinition | undefined {
  if (Object.hasOwn(SEL_TOOLS, name)) return SEL_TOOLS[name];
  const key = getterKey(name, keys);
  return key === undefined ? undefined : getterTool(name, key, null);
}
