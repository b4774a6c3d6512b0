import type { FastifyInstance, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { isInternalRequest } from '../http/is-our-own.ts';
import { HttpProblem } from '../http/problem.ts';
import { cameFromWorker } from '../http/sibling-listener.ts';
import type { ApiKeys } from './api-keys.ts';
import { hasMetricsKey } from './metrics-key.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Answered without a key, for probes: `counted` against the limit of rates, or `free` of that too. */
    open?: 'counted' | 'free';
  }
  interface FastifyRequest {
    /** The number of the caller's API key, or -1. */
    apiKey: number;
  }
}

/** Wrong keys that an address may try in a minute; then it is told to wait. A right one is taken in any case. */
const MAX_WRONG_KEYS = 60;
const MINUTE_MS = 60_000;
const MAX_ADDRESSES = 10_000;

/** Refuses requests without one of the keys, if there are any. Must come before whatever limits rates by key. */
export function requireKey(app: FastifyInstance, keys: ApiKeys): void {
  app.decorateRequest('apiKey', -1);
  if (!keys.required) return;
  const wrong = new LRUCache<string, { count: number }>({ max: MAX_ADDRESSES, ttl: MINUTE_MS });
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.routeOptions.config?.open || isInternalRequest(request) || cameFromWorker(request)) return done();
    if (hasMetricsKey(request)) return done();
    request.apiKey = keys.find(request.headers);
    done(request.apiKey >= 0 ? undefined : refusal(request, wrong));
  });
}

function refusal({ ip }: FastifyRequest, wrong: LRUCache<string, { count: number }>): HttpProblem {
  const tries = wrong.get(ip) ?? { count: 0 };
  if (tries.count === 0) wrong.set(ip, tries);
  if (++tries.count > MAX_WRONG_KEYS) {
    return new HttpProblem('RATE_LIMITED', 'Too many requests without a right key; try again in a minute.', {
      headers: { 'retry-after': '60' },
    });
  }
  return new HttpProblem(
    'UNAUTHORIZED',
    'Send one of the keys of this server as "Authorization: Bearer <key>" or as "X-API-Key: <key>".',
    { headers: { 'www-authenticate': 'Bearer realm="rookery", Basic realm="rookery", charset="UTF-8"' } },
  );
}
