import { addressOf, type CallRequest } from '../../../contracts/formulation.ts';
import { FORMULATIONS } from '../../../contracts/formulations.ts';
import { writeJson } from '../../base/http/json.ts';
import { HttpProblem } from '../../base/http/problem.ts';
import { tryReplicas, type Upstreams } from '../../base/upstream.ts';
import { answerOfState, type CallAnswer, problemAnswer, stateRequest } from '../../domain/domain-calls.ts';
import { type Backend, backendAnswer, callerGone, type ServiceCall } from './backend.ts';

/** Limit for a service's answer, from the request to its last byte. */
const LIMIT_MS = 60_000;

/**
 * The services of a farm in other processes, each with one or more replicas. Where none answers in time, the answer is
 * a problem: DOMAIN_UNAVAILABLE, GATEWAY_TIMEOUT or BAD_GATEWAY.
 */
export function upstreamBackend(upstreams: Upstreams, limitMs = LIMIT_MS): Backend {
  const ask = async (
    { service, headers, signal }: ServiceCall,
    { method, path, body }: Pick<CallRequest, 'method' | 'path' | 'body'>,
  ): Promise<CallAnswer> => {
    const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
    const request = {
      method,
      path,
      headers: { ...headers, accept: 'application/json', ...type },
      // Number texts stay as the agent wrote them: `5.0` stays `5.0`.
      body: body === undefined ? undefined : writeJson(body),
    };
    try {
      // A request changes nothing that lasts, so it can be repeated.
      const answer = await tryReplicas(
        upstreams.get(service.split, service.db),
        (replica) => replica.ask(request, limitMs, signal),
        { repeatable: true },
      );
      return backendAnswer(answer.status, answer.headers, answer.text);
    } catch (error) {
      if (signal?.aborted) return callerGone();
      if (!(error instanceof HttpProblem)) throw error;
      return problemAnswer(error.toProblem(), error.headers['retry-after']);
    }
  };
  return {
    async call(call) {
      const { formulation, service, view, headers, journal } = call;
      if (journal !== undefined) {
        const state = { ...call, journal, ifMatch: headers?.['if-match'] };
        return answerOfState(await ask(call, stateRequest(service, state)));
      }
      const request = FORMULATIONS[formulation].requestOf(service, call);
      const { method, body } = request;
      const address = addressOf(request);
      return ask(call, { method, body, path: view === '' ? address : `${address}?${view}` });
    },
    close: () => upstreams.close(),
  };
}
