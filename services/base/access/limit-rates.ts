import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance } from 'fastify';
import { tooManyRequests } from '../http/busy-problems.ts';
import { isOurOwn } from '../http/is-our-own.ts';
import { cameFromSibling } from '../http/sibling-listener.ts';

/** Lets each API key (without keys, each address) send so many requests a minute; more get RATE_LIMITED. */
export async function limitRates(app: FastifyInstance, requestsAMinute: number): Promise<void> {
  await app.register(rateLimit, {
    max: requestsAMinute,
    timeWindow: '1 minute',
    hook: 'onRequest',
    allowList: (request) =>
      request.routeOptions.config?.open === 'free' || isOurOwn(request) || cameFromSibling(request),
    keyGenerator: (request) => (request.apiKey >= 0 ? `key ${request.apiKey}` : request.ip),
    errorResponseBuilder: (_request, { max, ttl }) => tooManyRequests(max, Math.ceil(ttl / 1000)),
  });
}
