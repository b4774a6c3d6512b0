import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance } from 'fastify';
import { cameFromWorker, isInternalRequest } from './listen.ts';
import { tooManyRequests } from './problem.ts';

/** Limits the requests per minute of each API key (without keys, of each address). Responds RATE_LIMITED above. */
export async function limitRates(app: FastifyInstance, requestsAMinute: number): Promise<void> {
  await app.register(rateLimit, {
    max: requestsAMinute,
    timeWindow: '1 minute',
    hook: 'onRequest',
    allowList: (request) =>
      request.routeOptions.config?.open === 'free' || isInternalRequest(request) || cameFromWorker(request),
    keyGenerator: (request) => (request.apiKey >= 0 ? `key ${request.apiKey}` : request.ip),
    errorResponseBuilder: (_request, { max, ttl }) => tooManyRequests(max, Math.ceil(ttl / 1000)),
  });
}
