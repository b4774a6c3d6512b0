import { createHash } from 'node:crypto';
import { FORMULATIONS } from '../contracts/formulations.ts';
import type { Sample } from '../contracts/sample.ts';
import { asksEndpoints } from '../eval/calls/agent-call.ts';
import type { ToolSchema, ToolUniverse } from '../eval/calls/tool-universe.ts';

/** A file of an export, with its path in the exported folder. */
export interface ExportedFile {
  readonly path: string;
  readonly content: string;
}

/** The prompt: the question and, if requested, the split's hint. */
export function questionText({ input, evidence }: Sample, withEvidence: boolean): string {
  return withEvidence && evidence !== '' ? `${input}\n\nHint: ${evidence}` : input;
}

/** The samples that other harnesses support: those answered by a single call of an endpoint, over HTTP alone. */
export function exportedTasks<T extends Pick<Sample, 'formulation' | 'output'>>(samples: readonly T[]): T[] {
  return samples.filter(
    (sample) =>
      FORMULATIONS[sample.formulation].calls === 'single' &&
      sample.output.length === 1 &&
      asksEndpoints(sample),
  );
}

export interface Toolset {
  /** Number of tools per task; null for all of the domain. */
  readonly size: number | null;
  readonly seed: number;
}

/**
 * The tools of an exported task: all of the sample's, or the gold tool and others drawn by seed and sample, in drawn
 * order, so that the gold tool's position is random.
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
