import type { Sample } from '../../contracts/sample.ts';
import type { AgentCall } from '../calls/agent-call.ts';
import { type ReferenceNames, replaceReferences } from '../calls/references.ts';
import { startLabels } from '../calls/start-tables.ts';
import type { ToolUniverse } from '../calls/tool-universe.ts';
import { isNumber, isObject, type Json, type JsonObject, numberValue } from '../json/lossless.ts';
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

/** Whether two sequences make the same calls: references by what they name, numbers by value, keys in any order. */
export function sameSequence(a: readonly AgentCall[], b: readonly AgentCall[]): boolean {
  return (
    a.length === b.length &&
    a.every((call, i) => call.name === b[i]?.name && keyOf(call.arguments) === keyOf(b[i].arguments))
  );
}

function keyOf(args: JsonObject): string {
  return JSON.stringify(sorted(args));
}

function sorted(value: Json): unknown {
  if (isNumber(value)) {
    const number = numberValue(value);
    return typeof number === 'bigint' ? { integer: String(number) } : number;
  }
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  const keys = Object.keys(value).sort();
  return { keys, values: keys.map((key) => sorted(value[key] as Json)) };
}
