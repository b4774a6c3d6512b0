import type { GatewayRoutes } from '../forward/context.ts';
import { forward } from '../forward/forward.ts';

const PLACES = ['/tasks', '/tools', '/lists', '/mcp', '/runs'];

/**
 * What agents and their harnesses ask for, sent on to the process that serves it, if there is one. Nothing is sent
 * twice that may have been carried out: a run counts its calls, by GET too.
 */
export const agentRoutes: GatewayRoutes = (app, { upstreams: { agents }, metrics }) => {
  if (!agents) return;
  for (const url of PLACES.flatMap((place) => [place, `${place}/*`])) {
    app.all(url, { config: { kind: 'agents' } }, async (request, reply) => {
      await forward(agents, request, reply, { metrics, repeatable: false, keepHost: true });
      return reply;
    });
  }
};
