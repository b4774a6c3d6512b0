import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyInstance, FastifyRequest, InjectOptions } from 'fastify';
import type { FaultKind } from '../../../contracts/fault.ts';
import { onBehalfOf } from '../../base/access/asker.ts';

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
