import type { Sample } from '../../contracts/sample.ts';
import type { AgentCall, CallElement } from '../calls/agent-call.ts';
import { callKey, type ReferenceNames, replaceReferences, withoutRepeats } from '../calls/references.ts';
import { startLabels } from '../calls/start-tables.ts';
import type { ToolUniverse } from '../calls/tool-universe.ts';
import type { JsonObject } from '../json/lossless.ts';
import type { SlotSequence } from '../metrics/slot.ts';

/** The names of a sample's results before any call is made. */
export function startNames(sample: Sample, universe: ToolUniverse): Omit<ReferenceNames, 'handles'> {
  return { startLabels: startLabels(sample), startHandles: universe.startHandles?.(sample) ?? new Map() };
}

/** A sample's gold calls, as given and with their references replaced. Made once a sample. */
export function goldSequence(sample: Sample, universe: ToolUniverse): SlotSequence {
  const known = MADE.get(universe)?.get(sample);
  if (known) return known;
  const made = makeSequence(sample, universe);
  const ofUniverse = MADE.get(universe) ?? new WeakMap<Sample, SlotSequence>();
  MADE.set(universe, ofUniverse.set(sample, made));
  return made;
}

/** By the tools that handles are known of. */
const MADE = new WeakMap<ToolUniverse, WeakMap<Sample, SlotSequence>>();

function makeSequence(sample: Sample, universe: ToolUniverse): SlotSequence {
  const raw = sample.output.map(
    (call): AgentCall => ({
      name: call.name,
      arguments: call.arguments as JsonObject,
      label: call.label ?? null,
    }),
  );
  return { raw, canonical: replaceReferences(raw, { ...startNames(sample, universe), handles: [] }) };
}

/** An agent's calls without repeats of earlier ones: see `withoutRepeats`. All of them where the gold itself repeats a call. */
export function withoutExtraRepeats(
  elements: readonly CallElement[],
  gold: SlotSequence,
  names: ReferenceNames,
): ReturnType<typeof withoutRepeats> {
  const repeats = withoutRepeats(gold.raw, { ...names, handles: [] }).kept.length < gold.raw.length;
  return repeats
    ? { kept: [...elements], places: elements.map((_, i) => i) }
    : withoutRepeats(elements, names);
}

/** Whether two sequences make the same calls: references by what they name, numbers by value, keys in any order. */
export function sameSequence(a: readonly AgentCall[], b: readonly AgentCall[]): boolean {
  return a.length === b.length && a.every((call, i) => callKey(call) === callKey(b[i] as AgentCall));
}
