import { isNumber, isObject, type Json, type JsonObject } from '../json/lossless.ts';
import { type AgentCall, type CallElement, isCall, isMalformed, namesOf } from './agent-call.ts';
import { callKey } from './references.ts';
import type { ToolSchema } from './tool-universe.ts';

/**
 * Calls that stand as values in the arguments of others, `{"name": …, "arguments": {…}}`, as calls before these, which
 * refer to them by a label. Only tools that are known count: other objects of this form are values. Equal inner calls are one.
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
 * Calls of a nested expression in the order of the gold calls, as far as their references allow it: an expression says
 * which results a call needs, and not which of two independent calls comes first.
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
