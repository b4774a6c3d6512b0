import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { calledHere } from '../../contracts/package-root.ts';
import { jsonBodies, readJson, textBodies } from '../base/http/json.ts';
import { takeUpgrades } from '../base/http/listen.ts';
import { HttpProblem } from '../base/http/problem.ts';
import { guardRoles } from '../base/http/roles.ts';
import { type TypedApp, typedRoutes } from '../base/http/typed-routes.ts';
import type { ServePlugin } from '../domain/app.ts';
import { type AgentContext, type AgentOptions, agentContext, findRun } from './agent-context.ts';
import { sdkRoutes } from './code/sdk-routes.ts';
import { Episodes } from './episodes.ts';
import { injectApiFaults } from './faults.ts';
import { mcpRoutes } from './mcp-routes.ts';
import { answerRoute, judgementRoute, readAnswerBody, runRoutes, sayRoute } from './run-routes.ts';
import { requireStore } from './runs/run-metrics.ts';
import { forwardToOwner } from './runs/workers.ts';
import { listRoutes, sessionRoutes } from './session-routes.ts';
import { farmRoute, taskRoutes } from './task-routes.ts';

/**
 * The routes for agents as a plugin of a service. `grown`: the options of a farm that has grown. Throws OPTION_INVALID
 * when the run store cannot be opened.
 */
export function agentPlugin(options: AgentOptions, grown?: () => AgentOptions): ServePlugin {
  return async (app, { domains, metrics, own, readiness, live }) => {
    app.decorate('facesCallers', true);
    const services = () => [...domains].map(({ service }) => service);
    const isComplete = () => live.growth === undefined;
    const context = await agentContext(app, services(), { ...options, isComplete });
    if (grown) live.onGrown.push(() => context.grow(services(), grown()));
    metrics.more.push((isOperator) => context.runMetrics.text(isOperator));
    const { runs, tasks } = context;
    readiness.push(() => tasks.open());
    const isShared = runs?.store.kept.isShared ?? false;
    if (options.siblings) forwardToOwner(app, options.siblings, { isShared });
    if (runs) readiness.push(() => requireStore(runs.store));
    // Without faults there is no hook, so the services' own addresses cost nothing extra.
    if (context.unrecorded) {
      const { unrecorded, services } = context;
      injectApiFaults(app, { unrecorded, services, own });
    }
    await agentRoutes(app, context, (request) => own.has(request));
  };
}

/**
 * Everything for agents and harnesses, in scopes that differ in how they read bodies: the harness's routes (tasks, and
 * runs as they begin and are inspected), the trainers' protocols, the answer that ends a run, and what an agent uses
 * below the address of its run or list (tools, calls, MCP).
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
    sdkRoutes(routes, context);
    runRoutes(routes, context);
  });
  await app.register(async (scope) => {
    jsonBodies(scope, readAnswerBody);
    const routes = typedRoutes(scope);
    answerRoute(routes, context);
    sayRoute(routes, context);
    judgementRoute(routes, context);
  });
  await app.register(async (scope) => {
    textBodies(scope);
    const routes = typedRoutes(scope);
    sessionRoutes(routes, 'runs', (id) => findRun(context, id));
    listRoutes(routes, context);
    mcpRoutes(routes, context);
  });
  if (context.runs && context.protocols.length > 0) {
    const episodes = new Episodes(context);
    for (const { name, load } of context.protocols) {
      const add = await load();
      await app.register(
        async (scope) => {
          jsonBodies(scope, readJson);
          add(typedRoutes(scope), episodes, context.process);
        },
        { prefix: `/doors/${name}` },
      );
    }
    app.server.on('upgrade', takeUpgrades(app));
  }
  app.addHook('onClose', async () => {
    await context.backend.close?.();
    await context.runs?.store.close();
  });
}

/** `GET /board/…`: the leaderboard's files, for the harness only, since they reveal gold. */
function boardRoutes(app: TypedApp, { board }: AgentContext): void {
  app.get(
    '/board/*',
    {
      config: { kind: 'board', plane: 'harness' },
      schema: { hide: true, params: z.object({ '*': z.string() }) },
    },
    (request, reply) => {
      const none = 'This server was given no runs to show; `rookery serve --board <runs>` gives it some.';
      if (!board) throw new HttpProblem('SCORING_OFF', calledHere(none));
      const path = request.params['*'];
      const text = board(path);
      if (text === undefined)
        throw new HttpProblem('UNKNOWN_ROUTE', `The leaderboard has no file ${path.slice(0, 80)}`);
      return reply
        .headers({ 'cache-control': 'no-cache', 'content-type': 'application/json; charset=utf-8' })
        .send(text);
    },
  );
}
