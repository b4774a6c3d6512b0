import { randomUUID } from 'node:crypto';
import type { ServePlugin } from '../../domain/app/context.ts';
import { injectBackend, isInternal } from '../backend/backend.ts';
import { injectApiFaults } from '../faults/inject-api-faults.ts';
import { requireStore } from '../runs/require-store.ts';
import { forwardToOwner } from '../siblings/send-to-owner.ts';
import { agentRoutes } from './agent-routes.ts';
import { type AgentOptions, agentContext } from './make-agent-context.ts';

/** The routes for agents in the process of a service. Throws OPTION_INVALID when runs cannot be kept. */
export function agentPlugin(options: AgentOptions): ServePlugin {
  return async (app, { domains, metrics, readiness }) => {
    app.decorate('facesCallers', true);
    const services = [...domains].map(({ service }) => service);
    const secret = randomUUID();
    const backend = options.backend ?? injectBackend(app, secret);
    const context = await agentContext(app, services, { ...options, backend });
    metrics.more.push((isOperator) => context.runMetrics.text(isOperator));
    const { runs, tasks } = context;
    readiness.push(() => tasks.open());
    const isShared = runs?.store.kept.isShared ?? false;
    if (options.siblings) forwardToOwner(app, options.siblings, { isShared });
    if (runs) readiness.push(() => requireStore(runs.store));
    // Without faults there is no hook, and the services' own addresses pay nothing.
    if (context.unrecorded) {
      const options = { unrecorded: context.unrecorded, services: context.services, backend };
      injectApiFaults(app, { ...options, isInternal: (request) => isInternal(request, secret) });
    }
    await agentRoutes(app, context, (request) => isInternal(request, secret));
  };
}
