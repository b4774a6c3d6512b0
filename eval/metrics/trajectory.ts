import { stringify } from 'lossless-json';
import { z } from 'zod';
import type { Sample } from '../../contracts/sample.ts';
import {
  type AgentCall,
  assignCalls,
  type CallElement,
  callKey,
  isMalformed,
  nameProducers,
  pairByName,
  type ReferenceNames,
  replaceReferences,
  withoutRepeats,
} from '../calls/calls.ts';
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
import { addCounts, type Counts, countMultisets, groupBy, NO_COUNTS } from './figures.ts';

/**
 * Intent precision, recall and F1: the names of the predicted calls against those of the gold calls.
 *
 * Source: Live API-Bench (arXiv 2506.11266), "position-aware" intent; its published scorer counts the longest
 * common prefix, which is the headline here (`prefix`). The paper may also be read as comparing names index
 * by index (`position`); `multiset` ignores order. Sums over samples are micro averages. If nothing is
 * expected and nothing predicted, that is one true positive.
 *
 * A malformed call has the name `''` and so is a false positive; an output without readable calls predicts
 * nothing, which lowers recall but not precision.
 */
export interface IntentCounts {
  readonly prefix: Counts;
  readonly position: Counts;
  readonly multiset: Counts;
}

export function scoreIntent(gold: readonly string[], predicted: readonly string[]): IntentCounts {
  return {
    prefix: fromHits(commonPrefix(gold, predicted), gold, predicted),
    position: fromHits(gold.filter((name, i) => name === predicted[i]).length, gold, predicted),
    multiset: countMultisets(gold, predicted),
  };
}

function commonPrefix(gold: readonly string[], predicted: readonly string[]): number {
  let m = 0;
  while (m < gold.length && m < predicted.length && gold[m] === predicted[m]) m++;
  return m;
}

function fromHits(hits: number, gold: readonly string[], predicted: readonly string[]): Counts {
  if (gold.length === 0 && predicted.length === 0) return { tp: 1, fp: 0, fn: 0 };
  return { tp: hits, fp: predicted.length - hits, fn: gold.length - hits };
}

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

/**
 * Whether the predicted calls are the gold's, in order, with equal arguments in any order. References must be replaced.
 *
 * Source: NFCL, whose reply runs against functions that append their arguments to a list, which is compared with the
 * list of the gold. The names of the functions are compared here too.
 */
export function scoreRecordedCalls(
  gold: readonly AgentCall[],
  predicted: readonly AgentCall[],
  tools: ReadonlyMap<string, ToolSchema>,
): boolean {
  if (gold.length !== predicted.length) return false;
  return gold.every(({ name, arguments: args }, i) => {
    const call = predicted[i];
    return (
      call?.name === name && compareArguments(args, call.arguments, tools.get(name)).differences.length === 0
    );
  });
}

/** Partial credit for calls, from 0 to 1, from which rewards can be shaped. */
export interface Credit {
  /** F1 of distinct calls by tool name; see `scoreCredit`. */
  readonly calls: number;
  /** The share of gold arguments that were given unchanged; null if no gold tool was called. */
  readonly slots: number | null;
}

/**
 * Partial credit of a list of calls. Calls are identified by meaning: by the calls whose results they use,
 * regardless of position and repetition. A right call never lowers either figure; a repeated call, or a
 * surplus call of a gold tool, changes neither unless it is right.
 *
 * `calls` = 2m / (gold + m + others), where m counts distinct calls of gold tools, capped at the gold's
 * number for each tool, and `others` counts calls of other tools and malformed elements. `slots` pairs gold
 * calls with calls of the same tool so that the most arguments agree, considering the first ones up to the
 * gold's number, and right ones anywhere. References in both sequences must be replaced.
 */
export function scoreCredit(
  gold: readonly AgentCall[],
  predicted: readonly AgentCall[],
  malformed: number,
  tools: ReadonlyMap<string, ToolSchema>,
): Credit {
  const kinds = new Kinds(tools);
  const due = kinds.distinctGold(gold);
  const made = kinds.distinct(predicted);
  let [matched, found, all] = [0, 0, 0];
  for (const [name, expected] of due) {
    const given = made.get(name) ?? [];
    matched += Math.min(expected.length, given.length);
    const isRight = ({ kind }: Kept) => expected.some((each) => each.kind === kind);
    const open = given.filter((each, i) => i < expected.length || isRight(each));
    const agreeing = (g: Kept | undefined, p: Kept | undefined) =>
      g === undefined || p === undefined
        ? 0
        : countArguments(g.call.arguments, p.call.arguments, tools.get(name)).tp;
    const pairs = assignCalls(expected.length, open.length, (g, p) => agreeing(expected[g], open[p]));
    found += pairs.reduce<number>((sum, p, g) => sum + agreeing(expected[g], open[p ?? -1]), 0);
    all += expected.reduce((sum, each) => sum + agreeing(each, each), 0);
  }
  const size = (kept: ReadonlyMap<string, readonly unknown[]>) =>
    [...kept.values()].reduce((sum, { length }) => sum + length, 0);
  const others = [...made].reduce((sum, [name, { length }]) => sum + (due.has(name) ? 0 : length), malformed);
  const counted = size(due) + matched + others;
  return {
    // If no call is due, making none is fully right.
    calls: counted === 0 ? 1 : (2 * matched) / counted,
    slots: matched === 0 ? null : found / all,
  };
}

interface Kept {
  readonly kind: number;
  /** With references to kinds instead of positions. */
  readonly call: AgentCall;
}

/** Numbers calls so that calls with the same meaning are of one kind, in either sequence. */
class Kinds {
  readonly #tools: ReadonlyMap<string, ToolSchema>;
  readonly #gold: Kept[] = [];
  /** Kinds of non-gold calls, by their text. */
  readonly #others = new Map<string, number>();

  constructor(tools: ReadonlyMap<string, ToolSchema>) {
    this.#tools = tools;
  }

  /** Must be called before any other sequence is numbered. */
  distinctGold(calls: readonly AgentCall[]): Map<string, Kept[]> {
    return this.#distinct(calls, (call) => {
      const kind = this.#goldKind(call) ?? this.#gold.length;
      if (kind === this.#gold.length) this.#gold.push({ kind, call });
      return kind;
    });
  }

  distinct(calls: readonly AgentCall[]): Map<string, Kept[]> {
    return this.#distinct(calls, (call) => this.#goldKind(call) ?? this.#otherKind(call));
  }

  /** The first call of each kind in a sequence, by name. */
  #distinct(calls: readonly AgentCall[], kindOf: (call: AgentCall) => number): Map<string, Kept[]> {
    const kinds: number[] = [];
    const seen = new Set<number>();
    const kept: Kept[] = [];
    for (const each of calls) {
      const call = nameProducers(each, (index) => `kind ${kinds[index]}`);
      const kind = kindOf(call);
      kinds.push(kind);
      if (seen.has(kind)) continue;
      seen.add(kind);
      kept.push({ kind, call });
    }
    return groupBy(kept, ({ call }) => call.name);
  }

  #goldKind({ name, arguments: args }: AgentCall): number | null {
    const same = this.#gold.find(({ call }) => {
      if (call.name !== name) return false;
      const { fp, fn } = countArguments(call.arguments, args, this.#tools.get(name));
      return fp + fn === 0;
    });
    return same?.kind ?? null;
  }

  #otherKind({ name, arguments: args }: AgentCall): number {
    const text = `${name} ${stringify(args)}`;
    const kind = this.#others.get(text) ?? this.#gold.length + this.#others.size;
    this.#others.set(text, kind);
    return kind;
  }
}

export interface ReactInput {
  readonly failed: boolean;
  readonly answered: boolean;
  /** Model turns; null if the prediction lacks them. */
  readonly loops: number | null;
  /** Whether the run ended because a budget of any kind was spent. */
  readonly cutOff?: boolean;
  /** Whether it ended without an answer in another way. */
  readonly endedOtherwise?: boolean;
  readonly calls: readonly CallElement[] | null;
}

/** One sample's verdicts; null if the prediction lacks the data. */
export interface ReactVerdict {
  readonly loops: number | null;
  readonly out_of_budget: boolean | null;
  /** Failed with two or more consecutive calls of one function. */
  readonly stuck_name: boolean | null;
  /** The same, with equal arguments too: paging through results is not being stuck. */
  readonly stuck_exact: boolean | null;
  /** Failed, but neither out of budget nor `stuck_name`. */
  readonly unclassified: boolean | null;
}

/**
 * How an agent loop failed.
 *
 * Source: Live API-Bench (arXiv 2506.11266), its ReACT agents with a budget of 10 think–act–observe loops:
 * the average number of loops over all samples; out of budget = failed with the budget used up and no answer;
 * stuck = failed with at least two consecutive calls of the same function; unclassified = failed otherwise.
 * Shares are of all samples, and out of budget and stuck may overlap. A loop is one model turn, however many
 * parallel calls it makes.
 */
export function scoreReact(
  { failed, answered, loops, cutOff = false, endedOtherwise = false, calls }: ReactInput,
  budget: number,
): ReactVerdict {
  const spent = loops === null ? null : failed && !answered && loops >= budget;
  const outOfBudget = endedOtherwise ? false : cutOff || spent;
  const stuckName = calls === null ? null : failed && calls.some((call, i) => sameName(calls[i - 1], call));
  const stuckExact = calls === null ? null : failed && calls.some((call, i) => sameCall(calls[i - 1], call));
  return {
    loops,
    out_of_budget: outOfBudget,
    stuck_name: stuckName,
    stuck_exact: stuckExact,
    unclassified: outOfBudget === null || stuckName === null ? null : failed && !outOfBudget && !stuckName,
  };
}

function sameName(a: CallElement | undefined, b: CallElement): boolean {
  return a !== undefined && !isMalformed(a) && !isMalformed(b) && a.name === b.name;
}

function sameCall(a: CallElement | undefined, b: CallElement): boolean {
  return (
    a !== undefined &&
    !isMalformed(a) &&
    !isMalformed(b) &&
    a.name === b.name &&
    sameValue(a.arguments, b.arguments)
  );
}

/** Prices per million tokens by model name, in any one currency. */
export const priceTable = z.record(
  z.string(),
  z.object({ input_per_million: z.number().nonnegative(), output_per_million: z.number().nonnegative() }),
);
export type PriceTable = z.infer<typeof priceTable>;

/** The number of calls that repeat an earlier one: same name, same arguments. */
export function countRedundant(calls: readonly CallElement[]): number {
  const seen = new Map<string, AgentCall[]>();
  let redundant = 0;
  for (const call of calls) {
    if (isMalformed(call)) continue;
    const earlier = seen.get(call.name);
    if (earlier === undefined) seen.set(call.name, [call]);
    else if (earlier.some((other) => sameValue(other.arguments, call.arguments))) redundant++;
    else earlier.push(call);
  }
  return redundant;
}

/** The price of a sample's tokens; null if tokens or price are unknown. */
export function costOf(
  tokens: { readonly input: number | null; readonly output: number | null },
  model: string | null,
  prices: PriceTable | null,
): number | null {
  const price = model === null ? undefined : prices?.[model];
  if (price === undefined || tokens.input === null || tokens.output === null) return null;
  return (tokens.input * price.input_per_million + tokens.output * price.output_per_million) / 1e6;
}
