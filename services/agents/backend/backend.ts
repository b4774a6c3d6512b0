import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest, InjectOptions } from 'fastify';
import { type Problem, problem as problemSchema } from '../../../contracts/api.ts';
import type { FaultKind } from '../../../contracts/faults.ts';
import { CALLER_HEADER, callerName, onBehalfOf } from '../../base/auth/caller.ts';
import { HttpProblem, PROBLEM_TYPE } from '../../base/http/problem.ts';

/** A request to a domain's service. */
export interface BackendRequest {
  readonly method: 'GET' | 'POST';
  /** Path and query string, `/v1/…`. */
  readonly path: string;
  /** JSON text, for POST. */
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Aborted when the client hangs up; the answer is CALLER_GONE then. */
  readonly signal?: AbortSignal;
}

export interface BackendAnswer {
  readonly status: number;
  readonly contentType: string;
  /** When to come again, if the service says so. */
  readonly retryAfter?: string;
  readonly body: string;
  /** What was made to go wrong with it on purpose. */
  readonly fault?: FaultKind;
}

/** Whatever reaches the services of the farm's domains: the one way by which tools are called. */
export interface Backend {
  /** Rejects only when there is no answer at all. */
  request(request: BackendRequest): Promise<BackendAnswer>;
  close?(): Promise<void>;
}

/** The header fields with which a backend asks, over those that the request brings. */
export function requestHeaders({ body, headers }: Partial<BackendRequest>): Record<string, string> {
  return {
    ...headers,
    accept: 'application/json',
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  };
}

/** A service's whole answer as a backend gives it. */
export function backendAnswer(status: number, headers: OutgoingHttpHeaders, body: string): BackendAnswer {
  const retryAfter = headers['retry-after'];
  return {
    status,
    contentType: String(headers['content-type'] ?? ''),
    ...(retryAfter === undefined ? {} : { retryAfter: String(retryAfter) }),
    body,
  };
}

/** Marks requests that come from inside, so that what is done to requests from outside is not done twice. */
const INTERNAL_HEADER = 'x-rookery-internal';

/** Whether a request came by the `injectBackend` of that secret. */
export function isInternal(request: FastifyRequest, secret: string): boolean {
  return request.headers[INTERNAL_HEADER] === secret;
}

/**
 * The services behind the routes of an app in this process: those of the service itself, or those by which a
 * gateway forwards.
 */
export function injectBackend(app: FastifyInstance, secret: string): Backend {
  return {
    async request({ method, path, body, headers, signal }) {
      const options: InjectOptions = {
        method,
        url: path,
        headers: { ...requestHeaders({ body, headers }), [INTERNAL_HEADER]: secret },
      };
      if (body !== undefined) options.payload = body;
      // What `inject` answers begins the request when it is awaited: that must be in there.
      const ask = async () => await app.inject(options);
      const answer = await (signal ? onBehalfOf(signal, ask) : ask());
      return backendAnswer(answer.statusCode, answer.headers, answer.body);
    },
  };
}

/** A problem as the answer of a service. */
export function problemAnswer(problem: Problem, retryAfter?: string): BackendAnswer {
  return {
    status: problem.status,
    contentType: PROBLEM_TYPE,
    ...(retryAfter === undefined ? {} : { retryAfter }),
    body: JSON.stringify(problem),
  };
}

/** What is recorded of a call whose client hung up before the answer. */
export function callerGone(): BackendAnswer {
  return problemAnswer(new HttpProblem('CALLER_GONE', 'The caller hung up before the answer.').toProblem());
}

/** The code of a problem's body, or null when it is none. */
export function problemCode({ body }: BackendAnswer): string | null {
  return readProblem(body)?.code ?? null;
}

/** The problem that a body describes, or null when it describes none. */
export function readProblem(body: string): Problem | null {
  try {
    return problemSchema.parse(JSON.parse(body));
  } catch {
    return null;
  }
}

/** Sends what a service has answered on. That it was made to go wrong is told to the harness only. */
export function sendAnswer(reply: FastifyReply, answer: BackendAnswer): FastifyReply {
  if (answer.retryAfter !== undefined) reply.header('retry-after', answer.retryAfter);
  if (answer.fault !== undefined && reply.request.isHarness) reply.header('x-rookery-fault', answer.fault);
  return reply
    .code(answer.status)
    .header('cache-control', 'no-store')
    .header('content-type', answer.contentType)
    .send(answer.body);
}

const PASSED_ON = ['authorization', 'x-api-key', 'x-request-id'] as const;
/** The header fields that `passedHeaders` may give. */
export const PASSED_HEADERS = [...PASSED_ON, CALLER_HEADER, 'traceparent'] as const;

/** The header fields of an agent's request that a service must see. */
export function passedHeaders(
  request: Pick<FastifyRequest, 'headers' | 'id' | 'ip' | 'raw' | 'server'> &
    Partial<Pick<FastifyRequest, 'traceparent'>>,
): Record<string, string> {
  const traceparent = request.traceparent ?? request.headers.traceparent;
  const headers: Record<string, string> = {
    'x-request-id': request.id,
    [CALLER_HEADER]: callerName(request),
    ...(typeof traceparent === 'string' ? { traceparent } : {}),
  };
  for (const name of PASSED_ON) {
    const value = request.headers[name];
    if (typeof value === 'string') headers[name] = value;
  }
  return headers;
}
