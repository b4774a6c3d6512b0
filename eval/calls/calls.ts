import { FORMULATIONS } from '../../contracts/formulations.ts';
import { type SeenCall, seenCall } from '../../contracts/prediction.ts';
import type { Call, Formulation, Sample } from '../../contracts/sample.ts';
import { isNumber, isObject, type Json, type JsonObject, numberValue, plain } from '../json/lossless.ts';
import type { ToolSchema } from './tool-universe.ts';

export interface AgentCall {
  readonly name: string;
  readonly arguments: JsonObject;
  readonly label: string | null;
  /** The handle that the call returned on a live farm, if recorded. */
  readonly handle?: string;
  /** The runner's observations of the call. */
  readonly seen?: SeenCall;
}

/** An element of a call list that is not `{name: string, arguments: object}`. */
export interface MalformedCall {
  readonly malformed: Json;
}

export type CallElement = AgentCall | MalformedCall;

export function isMalformed(element: CallElement): element is MalformedCall {
  return 'malformed' in element;
}

export function isCall(element: CallElement): element is AgentCall {
  return !isMalformed(element);
}

/** Reads `{name, arguments, label?, handle?}`; anything else is malformed and kept as given. */
export function toCallElement(value: Json): CallElement {
  if (isObject(value) && typeof value.name === 'string' && isObject(value.arguments)) {
    return {
      name: value.name,
      arguments: value.arguments,
      label: typeof value.label === 'string' ? bareLabel(value.label) : null,
      ...(typeof value.handle === 'string' ? { handle: value.handle } : {}),
      ...seenOf(value),
    };
  }
  return { malformed: value };
}

function seenOf(value: JsonObject): { seen?: SeenCall } {
  if (!SEEN.some((key) => key in value)) return {};
  const read = seenCall.safeParse(plain(value));
  return read.success ? { seen: read.data } : {};
}

const SEEN = Object.keys(seenCall.shape);

/** The names of a list of calls; `''` for a malformed one. */
export function namesOf(elements: readonly CallElement[]): string[] {
  return elements.map((element) => (isMalformed(element) ? '' : element.name));
}

/** Strips the dollar signs: `$x$` and `x` are the same label. */
function bareLabel(label: string): string {
  return label.length > 2 && label.startsWith('$') && label.endsWith('$') ? label.slice(1, -1) : label;
}

/**
 * Renames the arguments of a SLOT or SEL call to those of Live API-Bench's own tools: `data_source`, as in
 * the paper and here, is `data` there. Everything else is the same, and endpoint calls are unchanged.
 */
export function toNativeCall<Given extends Pick<Call, 'arguments'>>(call: Given, kind: Formulation): Given {
  return renamed(call, kind, 'data_source', 'data');
}

/** Renames the arguments to ours; a call that has them already is unchanged. */
export function fromNativeCall<Given extends Pick<Call, 'arguments'>>(call: Given, kind: Formulation): Given {
  return renamed(call, kind, 'data', 'data_source');
}

function renamed<Given extends Pick<Call, 'arguments'>>(
  call: Given,
  kind: Formulation,
  from: string,
  to: string,
): Given {
  const { arguments: given } = call;
  if (FORMULATIONS[kind].calls === 'single' || !Object.hasOwn(given, from) || Object.hasOwn(given, to))
    return call;
  const args = Object.entries(given).map(([name, value]) => [name === from ? to : name, value]);
  return { ...call, arguments: Object.fromEntries(args) };
}

/** Whether all calls of a task are requests to endpoints, each with its own address. */
export function asksEndpoints({ output }: Pick<Sample, 'output'>): boolean {
  return output.every(({ path }) => path !== undefined);
}

/** The names of results in one sequence, apart from the labels of its calls. */
export interface ReferenceNames {
  /** Labels of the start tables, in order; empty for REST. */
  readonly startLabels: readonly string[];
  /** Their handles in a running farm, by label, if known. */
  readonly startHandles: ReadonlyMap<string, string>;
  /** The handle that each call returned when replayed, if known: agents on a live farm name results by handle. */
  readonly handles: readonly (string | null)[];
}

/**
 * Replaces every reference to an earlier result by a marker for the call that produced it, so that
 * `$FILTERED_DF_0$`, `$f1$` and a handle (`x` or `$x$`) are equal if they mean the same call. `$label.path$`
 * and `$label$.path` keep their path. Names of no earlier call stay unchanged. Identical calls share the
 * marker of the first.
 */
export function replaceReferences(calls: readonly AgentCall[], names: ReferenceNames): AgentCall[] {
  const marks = new Map<string, string>();
  const handles = new Map<string, string>();
  for (const [index, label] of names.startLabels.entries()) {
    marks.set(label, mark(`start ${index}`));
    const handle = names.startHandles.get(label);
    if (handle !== undefined) handles.set(handle, mark(`start ${index}`));
  }
  const first = new Map<string, number>();
  return calls.map((call, position) => {
    const replaced = { ...call, arguments: replaceIn(call.arguments, marks, handles) as JsonObject };
    const key = callKey(replaced);
    const index = first.get(key) ?? position;
    first.set(key, index);
    if (call.label !== null) marks.set(call.label, mark(String(index)));
    const handle = call.handle ?? names.handles[position];
    // Handles derive from content: if two calls return the same one, the first produced it.
    if (handle !== null && handle !== undefined && !handles.has(handle))
      handles.set(handle, mark(String(index)));
    return replaced;
  });
}

/** A call with markers in its references, renamed from the position of the producing call to `nameOf`. */
export function nameProducers(call: AgentCall, nameOf: (index: number) => string): AgentCall {
  const args = mapTexts(call.arguments, (text) =>
    text.includes(MARK) ? text.replace(POSITION, (_, index) => mark(nameOf(Number(index)))) : text,
  );
  return { ...call, arguments: args as JsonObject };
}

/**
 * Removes calls that repeat an earlier one, or continue reading its values (the same call with a higher
 * `offset`): they return nothing new. Later references to them point to the remaining call, whose position
 * `places` has for each element.
 */
export function withoutRepeats(
  elements: readonly CallElement[],
  names: ReferenceNames,
): { readonly kept: CallElement[]; readonly places: number[] } {
  const canonical = replaceReferences(elements.filter(isCall), names);
  const kept: CallElement[] = [];
  const seen = new Map<string, { readonly place: number; readonly offset: number }>();
  const instead = new Map<string, string>();
  let next = 0;
  const places = elements.map((element) => {
    if (isMalformed(element)) return kept.push(element) - 1;
    const handle = element.handle ?? names.handles[next];
    const call = canonical[next++] as AgentCall;
    const { offset = 0, limit: _, ...others } = call.arguments;
    const [whole, part] = [callKey(call), callKey({ ...call, arguments: others })];
    const page = seen.get(`page ${part}`);
    const before = seen.get(whole) ?? (page !== undefined && page.offset < Number(offset) ? page : undefined);
    if (before === undefined) {
      if (element.label !== null) instead.delete(element.label);
      const args = mapTexts(element.arguments, (text) =>
        text.replace(REFERENCE, (whole, label: string, inner: string, outer: string) => {
          const other = instead.get(label);
          return other === undefined ? whole : `$${other}${inner}$${outer}`;
        }),
      ) as JsonObject;
      const place = kept.push({ ...element, arguments: args, ...(handle == null ? {} : { handle }) }) - 1;
      seen
        .set(whole, { place, offset: Number(offset) })
        .set(`page ${part}`, { place, offset: Number(offset) });
      return place;
    }
    const stays = kept[before.place] as AgentCall;
    if (element.label !== null && stays.label === null)
      kept[before.place] = { ...stays, label: element.label };
    else if (element.label !== null && stays.label !== null && stays.label !== element.label)
      instead.set(element.label, stays.label);
    return before.place;
  });
  return { kept, places };
}

/** A call as text: equal for calls of one name with the same arguments, numbers by value and keys in any order. */
export function callKey({ name, arguments: args }: Pick<AgentCall, 'name' | 'arguments'>): string {
  return JSON.stringify([name, sorted(args)]);
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

function mapTexts(value: Json, replace: (text: string) => string): Json {
  if (typeof value === 'string') return replace(value);
  if (isNumber(value)) return value;
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, replace));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapTexts(item, replace)]));
}

/** Does not occur in agents' texts, so a marker equals nothing but the same marker. */
const MARK = '\u0000';
const POSITION = new RegExp(`${MARK}(\\d+)${MARK}`, 'g');
const REFERENCE = /\$([\p{L}\p{N}_-]+)((?:\.[\p{L}\p{N}_-]+|\[\d+\])*)\$((?:\.[\p{L}\p{N}_-]+|\[\d+\])*)/gu;

/** Whether a value is a reference to a result: a marker, or a reference to an unknown name. */
export function isReference(value: Json): boolean {
  if (typeof value !== 'string') return false;
  return value.includes(MARK) || (/^\$\S+\$/.test(value) && value.replace(REFERENCE, '') === '');
}

function mark(producer: string): string {
  return `${MARK}${producer}${MARK}`;
}

function replaceIn(value: Json, marks: Map<string, string>, handles: Map<string, string>): Json {
  return mapTexts(value, (text) => {
    const handle = handles.get(text);
    if (handle !== undefined) return handle;
    if (!text.includes('$')) return text;
    return text.replace(REFERENCE, (whole, label: string, inner: string, outer: string) => {
      const found = marks.get(label) ?? handles.get(label);
      return found === undefined ? whole : found + inner + outer;
    });
  });
}

/**
 * Unnests calls that are argument values, `{"name": …, "arguments": {…}}`, into calls before the outer one,
 * which refers to them by label. Only known tools count: other objects of this form are values. Equal inner
 * calls are merged.
 */
export function flattenNested(
  elements: readonly CallElement[],
  tools: ReadonlyMap<string, ToolSchema>,
): { readonly calls: readonly CallElement[]; readonly nested: boolean } {
  const calls: CallElement[] = [];
  const inner = new Map<string, string>();
  const flat = (value: Json): Json => {
    if (isNumber(value)) return value;
    if (Array.isArray(value)) return value.map(flat);
    if (!isObject(value)) return value;
    const { name, arguments: args, ...others } = value;
    const isNested =
      typeof name === 'string' && tools.has(name) && isObject(args ?? null) && !isNumber(args ?? null);
    if (!isNested || Object.keys(others).length > 0) return flatObject(value);
    const call = { name, arguments: flatObject(args as JsonObject) };
    const key = callKey(call);
    const label = inner.get(key) ?? `inner_${inner.size + 1}`;
    if (!inner.has(key)) calls.push({ ...call, label });
    inner.set(key, label);
    return `$${label}$`;
  };
  const flatObject = (object: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(object).map(([key, value]) => [key, flat(value)]));
  for (const element of elements) {
    calls.push(isMalformed(element) ? element : { ...element, arguments: flatObject(element.arguments) });
  }
  return { calls, nested: inner.size > 0 };
}

/**
 * Reorders the calls of a nested expression like the gold calls, as far as references allow: an expression
 * defines dependencies, but no order of independent calls.
 */
export function orderAsGold(elements: readonly CallElement[], gold: readonly AgentCall[]): CallElement[] {
  const labels = new Map(
    elements.flatMap((element, i) => (isCall(element) && element.label !== null ? [[element.label, i]] : [])),
  );
  const needs = elements.map((element, i) =>
    isMalformed(element)
      ? []
      : [...JSON.stringify(element.arguments).matchAll(/\$([\p{L}\p{N}_-]+)/gu)].flatMap(([, label = '']) => {
          const at = labels.get(label);
          return at === undefined || at === i ? [] : [at];
        }),
  );
  const names = namesOf(elements);
  const placed = new Set<number>();
  for (const { name } of gold) {
    const next = names.findIndex(
      (each, i) => each === name && !placed.has(i) && (needs[i] ?? []).every((at) => placed.has(at)),
    );
    if (next >= 0) placed.add(next);
  }
  for (const i of elements.keys()) placed.add(i);
  return [...placed].map((i) => elements[i] as CallElement);
}

/** Pairs the k-th gold call of a name with the k-th predicted one: `[gold, predicted]` indexes in gold order. */
export function pairByName(gold: readonly string[], predicted: readonly string[]): [number, number][] {
  const waiting = new Map<string, number[]>();
  predicted.forEach((name, index) => {
    const queue = waiting.get(name);
    if (queue === undefined) waiting.set(name, [index]);
    else queue.push(index);
  });
  const taken = new Map<string, number>();
  const pairs: [number, number][] = [];
  gold.forEach((name, index) => {
    const k = taken.get(name) ?? 0;
    const partner = waiting.get(name)?.[k];
    if (partner === undefined) return;
    taken.set(name, k + 1);
    pairs.push([index, partner]);
  });
  return pairs;
}

/**
 * Assigns each gold call at most one of an agent's calls, and vice versa, maximizing the total worth of the
 * pairs. Returns, for each gold call, the index of its call or null. Hungarian method, O(gold² × (gold +
 * calls)).
 */
export function assignCalls(
  gold: number,
  calls: number,
  worth: (gold: number, call: number) => number,
): (number | null)[] {
  // Indexes beyond the last call mean no call; there is one per gold call.
  const columns = calls + gold;
  const cost = (row: number, column: number) =>
    column <= calls ? -Math.max(0, worth(row - 1, column - 1)) : 0;
  const [u, v] = [zeros(gold + 1), zeros(columns + 1)];
  /** By column, from 1: the row assigned to it; 0 for none. */
  const rowOf = zeros(columns + 1);
  for (let row = 1; row <= gold; row++) {
    const least = Array<number>(columns + 1).fill(Number.POSITIVE_INFINITY);
    const before = zeros(columns + 1);
    const seen = new Set<number>();
    rowOf[0] = row;
    let at = 0;
    while (at === 0 || rowOf[at] !== 0) {
      seen.add(at);
      const here = rowOf[at] as number;
      let [delta, next] = [Number.POSITIVE_INFINITY, 0];
      for (let column = 1; column <= columns; column++) {
        if (seen.has(column)) continue;
        const reduced = cost(here, column) - (u[here] as number) - (v[column] as number);
        if (reduced < (least[column] as number)) [least[column], before[column]] = [reduced, at];
        if ((least[column] as number) < delta) [delta, next] = [least[column] as number, column];
      }
      for (let column = 0; column <= columns; column++) {
        if (seen.has(column)) {
          (u[rowOf[column] as number] as number) += delta;
          (v[column] as number) -= delta;
        } else (least[column] as number) -= delta;
      }
      at = next;
    }
    while (at !== 0) {
      const from = before[at] as number;
      rowOf[at] = rowOf[from] as number;
      at = from;
    }
  }
  const taken: (number | null)[] = Array.from({ length: gold }, () => null);
  for (let column = 1; column <= calls; column++) {
    const row = rowOf[column] as number;
    if (row > 0 && worth(row - 1, column - 1) > 0) taken[row - 1] = column - 1;
  }
  return taken;
}

function zeros(length: number): number[] {
  return Array<number>(length).fill(0);
}

/**
 * Aligns two sequences of names: equal names are paired by a longest common subsequence, others stand alone.
 * @returns pairs of indexes, in order; null for the side without a partner.
 */
export function alignNames(
  gold: readonly string[],
  predicted: readonly string[],
): [number | null, number | null][] {
  const longest = lengths(gold, predicted);
  const pairs: [number | null, number | null][] = [];
  let [g, p] = [0, 0];
  while (g < gold.length || p < predicted.length) {
    if (g < gold.length && p < predicted.length && gold[g] === predicted[p]) pairs.push([g++, p++]);
    else if (p >= predicted.length || (g < gold.length && at(longest, g + 1, p) >= at(longest, g, p + 1)))
      pairs.push([g++, null]);
    else pairs.push([null, p++]);
  }
  return pairs;
}

/** Lengths of the longest common subsequences of all suffixes. */
function lengths(a: readonly string[], b: readonly string[]): number[][] {
  const table = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0));
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const row = table[i] as number[];
      row[j] =
        a[i] === b[j] ? at(table, i + 1, j + 1) + 1 : Math.max(at(table, i + 1, j), at(table, i, j + 1));
    }
  }
  return table;
}

function at(table: readonly (readonly number[])[], i: number, j: number): number {
  return table[i]?.[j] ?? 0;
}
