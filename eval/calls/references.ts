import { isNumber, isObject, type Json, type JsonObject } from '../json/lossless.ts';
import type { AgentCall } from './agent-call.ts';

/** The names of results in one sequence, besides the labels of its calls. */
export interface ReferenceNames {
  /** Labels of the start tables, in order; REST has none. */
  readonly startLabels: readonly string[];
  /** The handles of these in a running farm, by label, where known. */
  readonly startHandles: ReadonlyMap<string, string>;
  /** The handle that each call answered when replayed, where known: agents on a live farm name results by handle. */
  readonly handles: readonly (string | null)[];
}

/**
 * The calls with every reference to an earlier result replaced by a mark of the call that made it, so that
 * `$FILTERED_DF_0$`, `$f1$` and a handle (`x` or `$x$`) are equal when they mean the same call. `$label.path$` and
 * `$label$.path` keep their path. A name that belongs to no earlier call is left unchanged.
 */
export function replaceReferences(calls: readonly AgentCall[], names: ReferenceNames): AgentCall[] {
  const marks = new Map<string, string>();
  const handles = new Map<string, string>();
  for (const [index, label] of names.startLabels.entries()) {
    marks.set(label, mark(`start ${index}`));
    const handle = names.startHandles.get(label);
    if (handle !== undefined) handles.set(handle, mark(`start ${index}`));
  }
  return calls.map((call, index) => {
    const replaced = { ...call, arguments: replaceIn(call.arguments, marks, handles) as JsonObject };
    if (call.label !== null) marks.set(call.label, mark(String(index)));
    const handle = call.handle ?? names.handles[index];
    // A handle is derived from content: of two calls that answer the same one, the first made it.
    if (handle !== null && handle !== undefined && !handles.has(handle))
      handles.set(handle, mark(String(index)));
    return replaced;
  });
}

/** A call whose references, replaced already, name something else than the position of the call that made the result. */
export function nameProducers(call: AgentCall, nameOf: (index: number) => string): AgentCall {
  const rename = (value: Json): Json => {
    if (typeof value === 'string') {
      return value.includes(MARK)
        ? value.replace(POSITION, (_, index) => mark(nameOf(Number(index))))
        : value;
    }
    if (isNumber(value)) return value;
    if (Array.isArray(value)) return value.map(rename);
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, rename(item)]));
  };
  return { ...call, arguments: rename(call.arguments) as JsonObject };
}

/** No agent's text contains this character, so a mark equals nothing but the same mark. */
const MARK = '\u0000';
const POSITION = new RegExp(`${MARK}(\\d+)${MARK}`, 'g');
const REFERENCE = /\$([\p{L}\p{N}_-]+)((?:\.[\p{L}\p{N}_-]+|\[\d+\])*)\$((?:\.[\p{L}\p{N}_-]+|\[\d+\])*)/gu;

/** Whether a value is a reference to a result: one that has been replaced, or one to a name that nothing bears. */
export function isReference(value: Json): boolean {
  if (typeof value !== 'string') return false;
  return value.includes(MARK) || (/^\$\S+\$/.test(value) && value.replace(REFERENCE, '') === '');
}

function mark(producer: string): string {
  return `${MARK}${producer}${MARK}`;
}

function replaceIn(value: Json, marks: Map<string, string>, handles: Map<string, string>): Json {
  if (typeof value === 'string') {
    const handle = handles.get(value);
    if (handle !== undefined) return handle;
    if (!value.includes('$')) return value;
    return value.replace(REFERENCE, (whole, label: string, inner: string, outer: string) => {
      const found = marks.get(label) ?? handles.get(label);
      return found === undefined ? whole : found + inner + outer;
    });
  }
  if (isNumber(value)) return value;
  if (Array.isArray(value)) return value.map((item) => replaceIn(item, marks, handles));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, replaceIn(item, marks, handles)]),
  );
}
