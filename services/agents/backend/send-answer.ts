import type { FastifyReply, FastifyRequest } from 'fastify';
import { CALLER_HEADER, callerName } from '../../base/access/asker.ts';
import type { BackendAnswer } from './backend.ts';

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
