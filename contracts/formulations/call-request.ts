import { isLosslessNumber, stringify } from 'lossless-json';
import { printExactJson } from '../exact-json.ts';
import { parameterText } from '../parameter-text.ts';

/** A request that carries out a call. */
export interface CallRequest {
  readonly method: 'GET' | 'POST';
  /** `/v1/…`, without a query string. */
  readonly path: string;
  /** Fields of the query string, in order; one that is given several times is a list. */
  readonly query: readonly (readonly [name: string, value: unknown])[];
  /** The arguments of a POST; absent for GET. */
  readonly body?: unknown;
}

/** Path and query string. */
export function addressOf({ path, query }: CallRequest): string {
  const fields = new URLSearchParams();
  for (const [name, value] of query) fields.append(name, textOf(value));
  const text = fields.toString();
  return text === '' ? path : `${path}?${text}`;
}

/** The JSON text of a POST; undefined for GET. */
export function bodyText({ body }: CallRequest): string | undefined {
  return body === undefined ? undefined : printExactJson(body);
}

/** A query string cannot hold an object, whatever is in it; the service answers with an error. */
function textOf(value: unknown): string {
  if (typeof value !== 'object' || isLosslessNumber(value)) return parameterText(value);
  return stringify(value) ?? 'null';
}
