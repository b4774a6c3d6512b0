import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { liveRoute, readyRoute } from '../../base/http/health-routes.ts';
import type { AgentContext } from '../app/agent-context.ts';
import { requireStore } from '../runs/require-store.ts';

const readyTasks = z.object({ status: z.literal('ready'), tasks: z.number().int() });

/** `/health/live`: the process answers. `/health/ready`: tasks and runs can be found too. Of services it says nothing. */
export function healthRoutes(app: FastifyInstance, { tasks, runs }: AgentContext): void {
  liveRoute(app);
  app.get('/health/ready', readyRoute(readyTasks), async (_request, reply) => {
    await tasks.open();
    if (runs) await requireStore(runs.store);
    return reply.header('cache-control', 'no-store').send({ status: 'ready', tasks: tasks.count });
  });
}
