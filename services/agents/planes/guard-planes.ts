import type { FastifyInstance, FastifyRequest } from 'fastify';
import { hasMetricsKey } from '../../base/access/metrics-key.ts';
import { cameByAdapter } from '../../base/http/door-listener.ts';
import { cameForHarness } from '../../base/http/harness-listener.ts';
import { HttpProblem } from '../../base/http/problem.ts';
import type { HarnessKey } from './harness-key.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Whom a route is for. `agent`: whoever has a run's address; `harness`: whoever has the harness key. Without it,
     * everybody, but in exam mode the harness. `operator`: in exam mode also whoever reaches the harness's own port, or
     * has the metrics key.
     */
    plane?: 'agent' | 'harness' | 'operator';
  }
  interface FastifyRequest {
    /** Whether the request carries the harness key. */
    isHarness: boolean;
  }
}

export interface RoleOptions {
  readonly key: HarnessKey;
  /** Agents reach their runs only. */
  readonly exam: boolean;
  /** Whether the harness has a port of its own; then in exam mode no key opens anything at the other. */
  readonly ownPort?: boolean;
  /** Whether a request was made by this process itself, such as a run's call at a service. */
  readonly isInternal?: (request: FastifyRequest) => boolean;
}

/** Keeps the harness's plane, and in exam mode everything but runs and health, from whoever has no harness key. */
export function guardRoles(
  app: FastifyInstance,
  { key, exam, ownPort = false, isInternal = () => false }: RoleOptions,
): void {
  app.decorateRequest('isHarness', false);
  app.addHook('onRequest', (request, _reply, done) => {
    const atOwnPort = cameForHarness(request);
    // Whoever opened a door's port leads training there; in an exam that has to be shown, as anywhere.
    const leads = cameByAdapter(request) && !exam;
    request.isHarness = leads || ((atOwnPort || !exam || !ownPort) && key.opens(request.headers));
    const { plane, open } = request.routeOptions.config;
    const closed = plane === 'harness' || (exam && plane !== 'agent' && open === undefined);
    if (!closed || request.isHarness || isInternal(request)) return done();
    if (plane === 'operator' && (atOwnPort || hasMetricsKey(request))) return done();
    done(harnessOnly('This address', exam && ownPort && !atOwnPort));
  });
}

/** Throws HARNESS_ONLY when a request without the harness key wants what is the harness's. */
export function requireHarness({ isHarness }: Pick<FastifyRequest, 'isHarness'>, what: string): void {
  if (!isHarness) throw harnessOnly(what);
}

function harnessOnly(what: string, elsewhere = false): HttpProblem {
  const how = elsewhere
    ? 'It is answered at the port of the harness.'
    : 'With the harness key, send it as "X-Harness-Key: <key>" or as "Authorization: Bearer <key>".';
  return new HttpProblem('HARNESS_ONLY', `${what} is for whoever gives the exam. ${how}`);
}
