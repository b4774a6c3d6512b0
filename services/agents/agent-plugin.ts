import type { ServePlugin } from '../context.ts';
import { agentRoutes } from './agent-routes.ts';
import { type AgentOptions, agentContext } from './make-agent-context.ts';

/** The routes for agents in the process of a service. Throws OPTION_INVALID when runs cannot be kept. */
export function agentPlugin(options: AgentOptions): ServePlugin {
  return async (app, { domains }) => {
    const services = [...domains].map(({ service }) => service);
    await agentRoutes(app, agentContext(app, services, options));
  };
}
