import type { FastifyInstance, FastifyRequest } from 'fastify';
import { jsonBodies, textBodies } from '../../base/http/bodies.ts';
import { typedRoutes } from '../../base/http/typed-routes.ts';
import { guardRoles } from '../planes/guard-planes.ts';
import type { AgentContext } from './agent-context.ts';
import { answerRoute, judgementRoute, readAnswerBody } from './answer-route.ts';
import { boardRoutes } from './board-routes.ts';
import { farmRoute } from './farm-route.ts';
import { findRun } from './find-surface.ts';
import { listRoutes } from './list-routes.ts';
import { mcpRoutes } from './mcp-routes.ts';
import { runRoutes } from './run-routes.ts';
import { sessionRoutes } from './surface-routes.ts';
import { taskRoutes } from './task-routes.ts';

/**
 * Everything for agents and their harnesses, in scopes that differ in how bodies are read: what a harness asks for
 * (tasks, and runs that begin and are looked at), the doors of trainers' protocols, the answer that ends a run, and what an agent works with below the
 * address of its run or list (tools, calls, MCP).
 */
export async function agentRoutes(
  app: FastifyInstance,
  context: AgentContext,
  isInternal?: (request: FastifyRequest) => boolean,
): Promise<void> {
  const { harnessKey: key, exam, ownPort } = context;
  guardRoles(app, { key, exam, ownPort, ...(isInternal ? { isInternal } : {}) });
  await app.register(async (scope) => {
    jsonBodies(scope);
    const routes = typedRoutes(scope);
    taskRoutes(routes, context);
    boardRoutes(routes, context);
    farmRoute(routes, context);
    runRoutes(routes, context);
  });
  await app.register(async (scope) => {
    jsonBodies(scope, readAnswerBody);
    const routes = typedRoutes(scope);
    answerRoute(routes, context);
    judgementRoute(routes, context);
  });
  await app.register(async (scope) => {
    textBodies(scope);
    const routes = typedRoutes(scope);
    sessionRoutes(routes, 'runs', (id) => findRun(context, id));
    listRoutes(routes, context);
    mcpRoutes(routes, context);
  });
  // Trainers' libraries are loaded where there are runs to train with.
  if (context.runs) {
    const { adapterRoutes } = await import('../doors/door-routes.ts');
    await app.register((scope) => adapterRoutes(scope, context));
  }
  app.addHook('onClose', async () => {
    await context.backend.close?.();
    await context.runs?.store.close();
  });
}
