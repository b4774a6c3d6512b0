import type { FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** The W3C header field that names this request's own span, where requests are traced. */
    traceparent: string | undefined;
  }
}

/** The trace that a request belongs to: our own, else the caller's, if it names one. */
export function traceIdOf(request: FastifyRequest): string | undefined {
  const parent = request.traceparent ?? request.headers.traceparent;
  return typeof parent === 'string' ? /^00-([0-9a-f]{32})-[0-9a-f]{16}-/.exec(parent)?.[1] : undefined;
}
