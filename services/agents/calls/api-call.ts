import { readArguments } from '../../base/http/json-text.ts';
import { HttpProblem } from '../../base/http/problem.ts';
import { SERVED_FORMULATIONS } from '../../domain/formulations/registry.ts';
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
 * The call that a request to a service's own address (`/v1/<split>/<db>/<endpoint>`, `…/slot/<tool>`; in an exam
 * `/v1/<alias>/…`) is, for an agent that is offered a list. An obfuscated list has no such addresses. Throws UNKNOWN_ROUTE, UNKNOWN_DOMAIN,
 * UNKNOWN_ENDPOINT, METHOD_NOT_ALLOWED, BAD_REQUEST.
 */
export function readApiCall(list: ToolList, request: ApiRequest): AgentCall {
  const { formulation } = list.source;
  if (list.options.obfuscate) throw new HttpProblem('UNKNOWN_ROUTE', 'There is nothing at this address');
  const asked = list.domainAt(request.path);
  if (!asked) {
    const named = request.path.slice(0, 2).join('/');
    throw new HttpProblem('UNKNOWN_DOMAIN', `There is no domain ${named} here`.slice(0, 200));
  }
  const { service, path } = asked;
  const call = SERVED_FORMULATIONS[formulation].readCall(service, {
    path,
    query: request.query,
    readBody: () => readArguments(request.body),
  });
  if (!call) throw new HttpProblem('UNKNOWN_ROUTE', 'There is nothing at this address');
  requireMethod(request.method, call.method);
  const { name: called, view } = call;
  const shown = called === null ? undefined : list.shownName(service, called);
  const name = shown ?? called;
  if (name === null || (call.method === 'GET' && shown === undefined)) {
    throw unknownEndpoint(asked.title, path.at(-1) as string);
  }
  return { name, arguments: call.arguments(), view };
}

function unknownEndpoint(db: string, name: string): HttpProblem {
  const errors = [{ field: 'endpoint', code: 'unknown_endpoint', message: `unknown: ${name.slice(0, 80)}` }];
  return new HttpProblem('UNKNOWN_ENDPOINT', `${db} has no endpoint ${name.slice(0, 80)}`, { errors });
}

function requireMethod(given: string, allowed: string): void {
  if (given === allowed) return;
  throw new HttpProblem('METHOD_NOT_ALLOWED', `${given} is not possible here; use ${allowed}`, {
    headers: { allow: allowed },
  });
}
