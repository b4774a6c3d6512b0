import type { FastifyInstance } from 'fastify';
import { HttpProblem } from '../../base/http/problem.ts';
import type { ApiKeys } from './api-keys.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Answered without a key, and not counted against any limit: for probes. */
    open?: boolean;
  }
  interface FastifyRequest {
    /** The number of the caller's API key, or -1. */
    apiKey: number;
  }
}

/** Refuses requests without one of the keys, if there are any. Must come before whatever limits rates by key. */
export function requireKey(app: FastifyInstance, keys: ApiKeys): void {
  app.decorateRequest('apiKey', -1);
  if (!keys.required) return;
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.routeOptions.config?.open) return done();
    request.apiKey = keys.find(request.headers);
    if (request.apiKey >= 0) return done();
    done(
      new HttpProblem(
        'UNAUTHORIZED',
        'Send one of the keys of this server as "Authorization: Bearer <key>" or as "X-API-Key: <key>".',
        { headers: { 'www-authenticate': 'Bearer realm="rookery", Basic realm="rookery", charset="UTF-8"' } },
      ),
    );
  });
}
