import { type SeenCall, seenCall } from '../../contracts/prediction.ts';
import { isObject, type Json, type JsonObject, plain } from '../json/lossless.ts';

/** A call that an agent made, or meant to make. */
export interface AgentCall {
  readonly name: string;
  readonly arguments: JsonObject;
  readonly label: string | null;
  /** The handle that the call returned on a live farm, if the prediction has it. */
  readonly handle?: string;
  /** What the runner observed of the call. */
  readonly seen?: SeenCall;
}

/** An element of an agent's list of calls that is not `{name: string, arguments: object}`. */
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

/** The names of a list of calls; a malformed one is called `''`. */
export function namesOf(elements: readonly CallElement[]): string[] {
  return elements.map((element) => (isMalformed(element) ? '' : element.name));
}

/** `$x$` and `x` are the same label. */
function bareLabel(label: string): string {
  return label.length > 2 && label.startsWith('$') && label.endsWith('$') ? label.slice(1, -1) : label;
}
