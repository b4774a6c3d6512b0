import { FORMULATIONS } from '../../contracts/formulations.ts';
import { type SeenCall, seenCall } from '../../contracts/prediction.ts';
import type { Call, Formulation, Sample } from '../../contracts/sample.ts';
import { isObject, type Json, type JsonObject, plain } from '../json/lossless.ts';

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
