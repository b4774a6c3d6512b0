import { isNumber, isObject, type Json, type JsonObject, numberValue } from '../json/lossless.ts';
import { type AgentCall, type CallElement, isCall, isMalformed, namesOf } from './agent-call.ts';
import type { ToolSchema } from './tool-universe.ts';

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
