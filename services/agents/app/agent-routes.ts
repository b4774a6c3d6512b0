import type { FastifyInstance } from 'fastify';
import type { AgentContext } from './agent-context.ts';
import { listRoutes } from './list-routes.ts';
import { mcpRoutes } from './mcp-routes.ts';
import { runRoutes } from './run-routes.ts';
import { taskRoutes } from './task-routes.ts';

/** Everything for agents and their harnesses: tasks, tool lists, MCP and runs. Bodies stay texts, as they came. */
export async function agentRoutes(app: FastifyInstance, context: AgentContext): Promise<void> {
  await app.register(async (routes) => {
    routes.removeAllContentTypeParsers();
    routes.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
    taskRoutes(routes, context);
    listRoutes(routes, context);
    mcpRoutes(routes, context);
    runRoutes(routes, context);
    routes.addHook('onClose', async () => {
      await context.backend.close?.();
      context.runs?.store.close();
    });
  });
}
