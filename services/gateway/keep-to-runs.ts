import type { FastifyInstance } from 'fastify';
import { hasMetricsKey } from '../base/access/metrics-key.ts';
import { cameForHarness } from '../base/http/harness-listener.ts';
import { HttpProblem } from '../base/http/problem.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the agent of an exam may ask for it. */
    inExam?: boolean;
  }
}

/**
 * In an exam: nothing but runs, health and, with their key, metrics is at the gateway's port; the rest is at the
 * harness's own.
 */
export function keepToRuns(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { inExam = false, open } = request.routeOptions.config;
    if (inExam || open !== undefined || cameForHarness(request) || hasMetricsKey(request)) return done();
    done(new HttpProblem('UNKNOWN_ROUTE', 'There is nothing at this address'));
  });
}
