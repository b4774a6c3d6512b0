import { createHash } from 'node:crypto';
import type { ToolSpec } from '../live-tools/toolset/tool-spec.ts';
import { canonicalJson } from './canonical-json.ts';

/**
 * sha256 of a list of tools: of its JSON text with every object's keys sorted and no blanks, each tool as
 * `{"description", "name", "parameters"}`, in the list's order. It does not depend on the format it is served in.
 */
export function checksumOf(tools: readonly ToolSpec[]): string {
  return createHash('sha256')
    .update(`[${tools.map(canonicalTool).join(',')}]`)
    .digest('hex');
}

/** A tool is in many lists. */
const texts = new WeakMap<ToolSpec, string>();

function canonicalTool(tool: ToolSpec): string {
  const known = texts.get(tool);
  if (known !== undefined) return known;
  const { name, description, parameters } = tool;
  const text = canonicalJson({ description, name, parameters });
  texts.set(tool, text);
  return text;
}
