import type { Sample } from '../../contracts/sample.ts';
import type { AgentCall, CallElement } from '../calls/agent-call.ts';
import { pairByName } from '../calls/pair-calls.ts';
import { callKey, type ReferenceNames, replaceReferences, withoutRepeats } from '../calls/references.ts';
import {
  sameValue,
  startLabels,
  type ToolSchema,
  type ToolUniverse,
  takesNull,
  wireOf,
} from '../calls/tool-universe.ts';
import type { Json, JsonObject } from '../json/lossless.ts';
import { pythonStr } from '../json/python.ts';
import { addCounts, type Counts, countMultisets, NO_COUNTS } from './figures.ts';

/**
 * Slot precision, recall and F1, conditional on intent: the arguments of the calls whose name was predicted.
 *
 * Source: Live API-Bench (arXiv 2506.11266) and its published scorer. The k-th gold call of a name is
 * compared with the k-th predicted call of that name, regardless of position; unpaired calls are skipped, so
 * the number of pairs should be shown beside the F1. Per pair, the argument–value items are compared as sets;
 * two empty sets are one true positive. Sums over samples are micro averages.
 *
 * `raw` is the published comparison: items are Python strings (`1` equals `"1"`, not `1.0`) and labels are
 * compared literally. `canonical` compares what the service receives: references by the call they name,
 * numbers by value, types by the service's conversions (see Wire), and omitted arguments as their defaults.
 */
export interface SlotCounts {
  readonly raw: Counts;
  readonly canonical: Counts;
  readonly pairs: number;
}

export interface SlotSequence {
  readonly raw: readonly AgentCall[];
  readonly canonical: readonly AgentCall[];
}

/** Scores one sample's arguments; malformed calls must be removed first. */
export function scoreSlots(
  gold: SlotSequence,
  predicted: SlotSequence,
  tools: ReadonlyMap<string, ToolSchema>,
): SlotCounts {
  const pairs = pairByName(
    gold.raw.map((call) => call.name),
    predicted.raw.map((call) => call.name),
  );
  let raw = NO_COUNTS;
  let canonical = NO_COUNTS;
  for (const [g, p] of pairs) {
    const [goldRaw, predictedRaw] = [gold.raw[g] as AgentCall, predicted.raw[p] as AgentCall];
    raw = addCounts(raw, countMultisets(rawItems(goldRaw.arguments), rawItems(predictedRaw.arguments)));
    const [goldCall, predictedCall] = [gold.canonical[g] as AgentCall, predicted.canonical[p] as AgentCall];
    const counts = countArguments(goldCall.arguments, predictedCall.arguments, tools.get(goldCall.name));
    canonical = addCounts(canonical, counts);
  }
  return { raw, canonical, pairs: pairs.length };
}

/** An argument in which two calls of one tool differ; `undefined` on the side that lacks it. */
export interface ArgumentDifference {
  readonly argument: string;
  readonly kind: 'missing' | 'unexpected' | 'value';
  readonly gold?: Json;
  readonly predicted?: Json;
}

/** Compares the arguments of two calls of one tool; references must be replaced. */
export function countArguments(
  gold: JsonObject,
  predicted: JsonObject,
  schema: ToolSchema | undefined,
): Counts {
  const { same, differences } = compareArguments(gold, predicted, schema);
  const fn = differences.filter(({ kind }) => kind !== 'unexpected').length;
  const fp = differences.filter(({ kind }) => kind !== 'missing').length;
  return same + fp + fn === 0 ? { tp: 1, fp: 0, fn: 0 } : { tp: same, fp, fn };
}

/** The number of equal arguments of two calls, and the arguments that differ. */
export function compareArguments(
  gold: JsonObject,
  predicted: JsonObject,
  schema: ToolSchema | undefined,
): { readonly same: number; readonly differences: readonly ArgumentDifference[] } {
  const wire = wireOf(schema);
  const expected = givenArguments(gold, schema);
  const given = givenArguments(predicted, schema);
  const isDefault = (argument: string, value: Json) => {
    const property = schema?.properties[argument];
    return property?.default !== undefined && sameValue(property.default as Json, value, property, wire);
  };
  const differences: ArgumentDifference[] = [];
  let same = 0;
  for (const [argument, value] of Object.entries(expected)) {
    const other = given[argument];
    if (!Object.hasOwn(given, argument) || other === undefined) {
      if (isDefault(argument, value)) same++;
      else differences.push({ argument, kind: 'missing', gold: value });
    } else if (sameValue(value, other, schema?.properties[argument], wire)) same++;
    else differences.push({ argument, kind: 'value', gold: value, predicted: other });
  }
  for (const [argument, value] of Object.entries(given)) {
    if (Object.hasOwn(expected, argument) || isDefault(argument, value)) continue;
    differences.push({ argument, kind: 'unexpected', predicted: value });
  }
  return { same, differences };
}

/** For an optional argument that is not nullable, null counts as omitted, as it does for the service. */
function givenArguments(args: JsonObject, schema: ToolSchema | undefined): JsonObject {
  const isLeftOut = (key: string, value: Json) => {
    const property = schema?.properties[key];
    return (
      value === null && property !== undefined && !schema?.required.includes(key) && !takesNull(property)
    );
  };
  return Object.fromEntries(Object.entries(args).filter(([key, value]) => !isLeftOut(key, value)));
}

function rawItems(args: JsonObject): string[] {
  return [...new Set(Object.entries(args).map(([key, value]) => `${key} = ${pythonStr(value)}`))];
}

/** The names of a sample's results before any call is made. */
export function startNames(sample: Sample, universe: ToolUniverse): Omit<ReferenceNames, 'handles'> {
  return { startLabels: startLabels(sample), startHandles: universe.startHandles?.(sample) ?? new Map() };
}

/** A sample's gold calls, as given and with references replaced. Cached per sample. */
export function goldSequence(sample: Sample, universe: ToolUniverse): SlotSequence {
  const known = MADE.get(universe)?.get(sample);
  if (known) return known;
  const made = makeSequence(sample, universe);
  const ofUniverse = MADE.get(universe) ?? new WeakMap<Sample, SlotSequence>();
  MADE.set(universe, ofUniverse.set(sample, made));
  return made;
}

/** By tool universe, which determines the handles. */
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

/** An agent's calls without repetitions (see `withoutRepeats`); unchanged if the gold itself repeats a call. */
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

/** Whether two sequences make the same calls, comparing references by result and numbers by value. */
export function sameSequence(a: readonly AgentCall[], b: readonly AgentCall[]): boolean {
  return a.length === b.length && a.every((call, i) => callKey(call) === callKey(b[i] as AgentCall));
}
