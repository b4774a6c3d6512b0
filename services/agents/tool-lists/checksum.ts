import { createHash } from 'node:crypto';
import type { ToolSpec } from '../../domain/live-tools/toolset/tool-spec.ts';
import { canonicalJson } from './canonical-json.ts';

/**
 * sha256 of a list of tools: of its JSON text with every object's keys sorted and no blanks, each tool as
 * `{"description", "name", "parameters"}`, in the list's order. It does not depend on the format it is served in.
 */
export function checksumOf(tools: readonly ToolSpec[]): string {
  const hash = createHash('sha256').update('[');
  tools.forEach((tool, at) => {
    if (at > 0) hash.update(',');
    hash.update(canonicalTool(tool));
  });
  return hash.update(']').digest('hex');
}

/** A tool is in many lists. As bytes: the text itself would be kept in all the pieces that it was put together of. */
const texts = new WeakMap<ToolSpec, Buffer>();

function canonicalTool(tool: ToolSpec): Buffer {
  const known = texts.get(tool);
  if (known !== undefined) return known;
  const { name, description, parameters } = tool;
  const text = Buffer.from(canonicalJson({ description, name, parameters }));
  texts.set(tool, text);
  return text;
}
