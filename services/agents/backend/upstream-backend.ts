import { HttpProblem } from '../../base/http/problem.ts';
import { tryReplicas, type Upstreams } from '../../base/upstream.ts';
import {
  type Backend,
  type BackendAnswer,
  type BackendRequest,
  backendAnswer,
  callerGone,
  problemAnswer,
  requestHeaders,
} from './backend.ts';

/** How long a service's answer may take, from the request to its last byte. */
const LIMIT_MS = 60_000;

/**
 * The services of a farm in processes of their own, with as many replicas as each has. Where none answers, or not in
 * time, the answer is a problem: DOMAIN_UNAVAILABLE, GATEWAY_TIMEOUT or BAD_GATEWAY.
 */
export function upstreamBackend(upstreams: Upstreams, limitMs = LIMIT_MS): Backend {
  return {
    async request(request) {
      try {
        return await send(upstreams, request, limitMs);
      } catch (error) {
        if (request.signal?.aborted) return callerGone();
        if (!(error instanceof HttpProblem)) throw error;
        return problemAnswer(error.toProblem(), error.headers['retry-after']);
      }
    },
    close: () => upstreams.close(),
  };
}

async function send(upstreams: Upstreams, asked: BackendRequest, limitMs: number): Promise<BackendAnswer> {
  const { method, path, body } = asked;
  const [split = '', db = ''] = path
    .replace(/^\/v1\//, '')
    .split('/', 2)
    .map(decodeURIComponent);
  const request = {
    method,
    path,
    headers: requestHeaders(asked),
    ...(body === undefined ? {} : { body }),
  };
  // Tools only read, so asking again changes nothing.
  const answer = await tryReplicas(
    upstreams.get(split, db),
    (replica) => replica.ask(request, limitMs, asked.signal),
    {
      repeatable: true,
    },
  );
  return backendAnswer(answer.status, answer.headers, answer.text);
}
