import { type AgentCall, type CallElement, isCall, isMalformed } from '../calls/agent-call.ts';
import { isNumber, isObject, type Json, numberText } from '../json/lossless.ts';

/**
 * Exact string match of the final call.
 *
 * Source: the NFCL baselines of function-calling studies over NL2SQL data, which compare the text of the last
 * call, nested or not. Here the text is `name(a=1, b="x")` with arguments in the given order; an argument
 * that is exactly `$label$` is replaced by the text of the call it refers to, so a chain becomes one nested
 * call. An empty list matches only an empty list.
 */
export function scoreExactString(
  gold: readonly AgentCall[],
  predicted: readonly CallElement[] | null,
): boolean {
  if (predicted === null || predicted.some(isMalformed)) return false;
  const calls = predicted.filter(isCall);
  if (gold.length === 0 || calls.length === 0) return gold.length === calls.length;
  return finalCallText(gold) === finalCallText(calls);
}

/** The last call as text, with references replaced by the calls they name. */
export function finalCallText(calls: readonly AgentCall[]): string {
  const texts = new Map<string, string>();
  let last = '';
  for (const { name, arguments: args, label } of calls) {
    const items = Object.entries(args).map(([key, value]) => `${key}=${valueText(value, texts)}`);
    last = `${name}(${items.join(', ')})`;
    if (label !== null) texts.set(label, last.length <= LONGEST ? last : `#${texts.size}`);
  }
  return last;
}

/** A result used twice in every step would double the text each time. */
const LONGEST = 20_000;

function valueText(value: Json, calls: ReadonlyMap<string, string>): string {
  if (typeof value === 'string')
    return calls.get(WHOLE_REFERENCE.exec(value)?.[1] ?? '') ?? JSON.stringify(value);
  if (isNumber(value)) return numberText(value);
  if (Array.isArray(value)) return `[${value.map((item) => valueText(item, calls)).join(', ')}]`;
  if (!isObject(value)) return String(value);
  return `{${Object.entries(value)
    .map(([key, item]) => `${JSON.stringify(key)}: ${valueText(item, calls)}`)
    .join(', ')}}`;
}

const WHOLE_REFERENCE = /^\$([^$]+)\$$/;
