import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Dispatcher } from 'undici';
import { CALLER_HEADER } from '../../base/access/asker.ts';
import { tryReplicas } from '../../base/upstream/try-replicas.ts';
import type { Upstream } from '../../base/upstream/upstream.ts';
import { Exchange, type ResponseKeeper } from './exchange.ts';
import type { GatewayMetrics } from './metrics.ts';

export interface Forwarding {
  readonly metrics: GatewayMetrics;
  /** Whether a request may be sent again when it is unknown whether it was carried out. */
  readonly repeatable: boolean;
  /** Whether the name by which the caller knows the gateway is passed on. */
  readonly keepHost?: boolean;
  readonly keeper?: ResponseKeeper;
}

/**
 * Sends a request to one of an upstream's replicas and its answer back as it comes; what was answered, in whole or
 * in part, is never asked again. Throws as `tryReplicas` does, as long as nothing was sent back.
 */
export async function forward(
  upstream: Upstream,
  request: FastifyRequest,
  reply: FastifyReply,
  { metrics, repeatable, keepHost = false, keeper }: Forwarding,
): Promise<void> {
  const options = toUpstream(request, keepHost);
  await tryReplicas(upstream, (replica) => new Exchange(reply, keeper).run(replica, options), {
    repeatable,
    onRetry: () => metrics.retried(upstream.identity.name),
  });
}

/** Of one connection only, or kept by the gateway to itself. */
const NOT_FORWARDED = new Set([
  'authorization',
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'x-api-key',
  CALLER_HEADER,
  'x-request-id',
]);

function toUpstream(request: FastifyRequest, keepHost: boolean): Omit<Dispatcher.DispatchOptions, 'origin'> {
  const headers: string[] = ['x-request-id', request.id, CALLER_HEADER, request.ip];
  if (request.traceparent !== undefined) headers.push('traceparent', request.traceparent);
  if (keepHost && request.headers.host !== undefined) headers.push('host', request.headers.host);
  for (const [name, value] of Object.entries(request.headers)) {
    if (value === undefined || NOT_FORWARDED.has(name)) continue;
    // What is behind the gateway does not know whom it lets in.
    if (name === 'origin' && request.server.isAllowedOrigin?.(String(value))) continue;
    if (name === 'traceparent' && request.traceparent !== undefined) continue;
    headers.push(name, Array.isArray(value) ? value.join(', ') : value);
  }
  return {
    path: request.raw.url as string,
    method: request.method as Dispatcher.HttpMethod,
    headers,
    body: Buffer.isBuffer(request.body) ? request.body : null,
  };
}
