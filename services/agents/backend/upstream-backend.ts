import { addressOf, type CallRequest } from '../../../contracts/formulation.ts';
import { FORMULATIONS } from '../../../contracts/formulations.ts';
import { writeJson } from '../../base/http/json.ts';
import { HttpProblem } from '../../base/http/problem.ts';
import { tryReplicas, type Upstreams } from '../../base/upstream.ts';
import { answerOfState, type CallAnswer, problemAnswer, stateRequest } from '../../domain/domain-calls.ts';
import { type Backend, backendAnswer, callerGone, type ServiceCall } from './backend.ts';

export interface BackendRequest {
  readonly method: CallRequest['method'];
  readonly path: string;
  readonly body?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface UpstreamBackend extends Backend {
  request(request: BackendRequest): Promise<CallAnswer>;
}

/** Limit for a service's answer, from the request to its last byte. */
const LIMIT_MS = 60_000;

/**
 * The services of a farm in other processes, each with one or more replicas. Where none answers in time, the answer is
 * a problem: DOMAIN_UNAVAILABLE, GATEWAY_TIMEOUT or BAD_GATEWAY.
 */
export function upstreamBackend(upstreams: Upstreams, limitMs = LIMIT_MS): UpstreamBackend {
  const request = async (request: BackendRequest) => {
    try {
      return await send(upstreams, request, limitMs);
    } catch (error) {
      if (request.signal?.aborted) return callerGone();
      if (!(error instanceof HttpProblem)) throw error;
      return problemAnswer(error.toProblem(), error.headers['retry-after']);
    }
  };
  return {
    request,
    async call(call) {
      if (call.journal === undefined) return request(requestOf(call));
      const { service, headers, signal, journal, policies } = call;
      const { body, ...rest } = stateRequest(service, {
        ...call,
        journal,
        policies,
        ifMatch: headers?.['if-match'],
      });
      return answerOfState(await request({ ...rest, body: writeJson(body), headers, signal }));
    },
    close: () => upstreams.close(),
  };
}

function requestOf({ formulation, service, view, headers, signal, ...call }: ServiceCall): BackendRequest {
  const request = FORMULATIONS[formulation].requestOf(service, call);
  const address = addressOf(request);
  return {
    method: request.method,
    path: view === '' ? address : `${address}?${view}`,
    // Number texts stay as the agent wrote them: `5.0` stays `5.0`.
    body: request.body === undefined ? undefined : writeJson(request.body),
    headers,
    signal,
  };
}

async function send(upstreams: Upstreams, asked: BackendRequest, limitMs: number): Promise<CallAnswer> {
  const { method, path, body } = asked;
  const [split = '', db = ''] = path
    .replace(/^\/(?:v1|internal\/state)\//, '')
    .split('/', 2)
    .map(decodeURIComponent);
  const request = {
    method,
    path,
    headers: {
      ...asked.headers,
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body }),
  };
  // A request changes nothing that lasts, so it can be repeated.
  const answer = await tryReplicas(
    upstreams.get(split, db),
    (replica) => replica.ask(request, limitMs, asked.signal),
    { repeatable: true },
  );
  return backendAnswer(answer.status, answer.headers, answer.text);
}
