import { LosslessNumber } from 'lossless-json';
import type { Endpoint, EndpointParameter } from '../../../contracts/service.ts';
import { readArguments } from '../../base/http/json-text.ts';
import { HttpProblem } from '../../base/http/problem.ts';
import type { ToolList } from '../tool-lists/tool-list.ts';
import type { AgentCall } from './call-tool.ts';

/** A request to an address of the service's own API, as far as it matters here. */
export interface ApiRequest {
  readonly method: string;
  /** After `/v1/`, decoded, split at slashes. */
  readonly path: readonly string[];
  readonly query: URLSearchParams;
  readonly body: string | undefined;
}

/**
 * The call that a request to a service's own address (`/v1/<split>/<db>/<endpoint>`, `…/slot/<tool>`) is, for an
 * agent that is offered a list. An obfuscated list has no such addresses. Throws UNKNOWN_ROUTE, UNKNOWN_DOMAIN,
 * UNKNOWN_ENDPOINT, METHOD_NOT_ALLOWED, BAD_REQUEST.
 */
export function readApiCall(list: ToolList, request: ApiRequest): AgentCall {
  const { service, formulation } = list.source;
  const [split, db, ...rest] = request.path;
  if (list.options.obfuscate) throw new HttpProblem('UNKNOWN_ROUTE', 'There is nothing at this address');
  if (split !== service.split || db !== service.db) {
    throw new HttpProblem('UNKNOWN_DOMAIN', `There is no domain ${split}/${db} here`.slice(0, 200));
  }
  const isRest = rest.length === 1;
  if (isRest !== (formulation === 'rest') || (!isRest && rest[0] !== formulation)) {
    throw new HttpProblem('UNKNOWN_ROUTE', 'There is nothing at this address');
  }
  const name = rest.at(-1) as string;
  requireMethod(request.method, isRest ? 'GET' : 'POST');
  if (!isRest) return { name, arguments: readArguments(request.body), view: request.query.toString() };
  const endpoint = service.endpoints.find((each) => each.name === name);
  if (!endpoint || list.shownName(endpoint.operation_id) === undefined) {
    const errors = [
      { field: 'endpoint', code: 'unknown_endpoint', message: `unknown: ${name.slice(0, 80)}` },
    ];
    throw new HttpProblem('UNKNOWN_ENDPOINT', `${db} has no endpoint ${name.slice(0, 80)}`, { errors });
  }
  return { name: endpoint.operation_id, arguments: queryArguments(endpoint, request.query), view: '' };
}

/** The arguments of a call from a query string, with the types that the parameters have where the text allows it. */
export function queryArguments(
  endpoint: Pick<Endpoint, 'parameters'>,
  query: URLSearchParams,
): Record<string, unknown> {
  const args: Record<string, unknown> = {};
  for (const name of new Set(query.keys())) {
    const parameter = endpoint.parameters.find((each) => each.name === name);
    const values = query.getAll(name).map((text) => typedValue(text, parameter));
    args[name] = parameter?.array || values.length > 1 ? values : values[0];
  }
  return args;
}

function typedValue(text: string, parameter: EndpointParameter | undefined): unknown {
  if (parameter === undefined || parameter.type === 'string') return text;
  if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text)) return text;
  return String(Number(text)) === text ? Number(text) : new LosslessNumber(text);
}

function requireMethod(given: string, allowed: string): void {
  if (given === allowed) return;
  throw new HttpProblem('METHOD_NOT_ALLOWED', `${given} is not possible here; use ${allowed}`, {
    headers: { allow: allowed },
  });
}
