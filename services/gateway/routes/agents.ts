import { cameForHarness } from '../../base/http/harness-listener.ts';
import type { GatewayRoutes } from '../forward/context.ts';
import { forward } from '../forward/forward.ts';

const PLACES = ['/farm', '/board', '/tasks', '/tools', '/lists', '/mcp', '/runs', '/doors'];
/** What an agent has below the address of its run, and the address itself. */
const OF_RUNS = [
  '',
  '/answer',
  '/tools',
  '/openapi.json',
  '/tasks',
  '/tasks/*',
  '/call/:tool',
  '/v1/*',
  '/mcp',
  '/mcp/*',
].map((below) => `/runs/:id${below}`);

/**
 * What agents and their harnesses ask for, sent on to the process that serves it, if there is one; what comes by the
 * harness's own port, to that of the process. Nothing is sent twice that may have been carried out: a run counts its
 * calls, by GET too.
 */
export const agentRoutes: GatewayRoutes = (app, { upstreams, exam, metrics }) => {
  const { agents, agentsHarness } = upstreams;
  if (!agents) return;
  const route = (url: string, inExam: boolean) =>
    app.all(url, { config: { kind: 'agents', inExam } }, async (request, reply) => {
      const place = (cameForHarness(request) ? agentsHarness : undefined) ?? agents;
      await forward(place, request, reply, { metrics, repeatable: false, keepHost: true });
      return reply;
    });
  if (exam) for (const url of OF_RUNS) route(url, true);
  for (const url of PLACES.flatMap((place) => [place, `${place}/*`])) route(url, false);
};
