import { createHash } from 'node:crypto';
import type { Sample } from '../../contracts/sample.ts';
import type { ToolSchema, ToolUniverse } from '../calls/tool-universe.ts';

export interface Toolset {
  /** How many tools a task offers; null for all of the domain. */
  readonly size: number | null;
  readonly seed: number;
}

/**
 * The tools that an exported task offers: all of the sample's, or its gold tool and others drawn by seed and sample,
 * in drawn order, so that the gold tool stands anywhere.
 */
export function chooseTools(
  sample: Sample,
  universe: ToolUniverse,
  { size, seed }: Toolset,
): [string, ToolSchema][] {
  const all = [...universe.toolsFor(sample)];
  if (size === null || size >= all.length) return all;
  const gold = new Set(sample.output.map(({ name }) => name));
  const drawn = all
    .map((tool) => ({ tool, key: digest(`${seed} ${sample.sample_id} ${tool[0]}`) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ tool }) => tool);
  const others = drawn.filter(([name]) => !gold.has(name)).slice(0, Math.max(0, size - gold.size));
  const kept = new Set([...gold, ...others.map(([name]) => name)]);
  return drawn.filter(([name]) => kept.has(name));
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
