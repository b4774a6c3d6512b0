import { HttpProblem } from '../../http/problem.ts';
import { ASK_LIMIT_MS, type GatewayRoutes } from '../context.ts';
import type { Upstream } from '../upstream/upstream.ts';

/**
 * `/health/live`: the gateway answers, and so can answer for whichever domains are up: what an orchestrator should
 * ask. `/health/ready`: every domain has a replica that is ready.
 */
export const healthRoutes: GatewayRoutes = (app, { upstreams }) => {
  const config = { kind: 'health', open: true };

  app.get('/health/live', { config }, (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'live' }),
  );

  app.get('/health/ready', { config }, async (_request, reply) => {
    const states = await Promise.all([...upstreams].map(stateOf));
    const down = states.filter(({ ready }) => ready === 0);
    if (down.length === 0) {
      const domains = Object.fromEntries(states.map(({ db, ...counts }) => [db, counts]));
      return reply.header('cache-control', 'no-store').send({ status: 'ready', domains });
    }
    throw new HttpProblem('NOT_READY', `${down.length} of ${states.length} domains are not ready`, {
      errors: down.map(({ db, replicas }) => ({
        field: db,
        code: 'unavailable',
        message: replicas === 0 ? `there is no service of ${db}` : `none of the services of ${db} is ready`,
      })),
      headers: { 'retry-after': '1' },
    });
  });
};

async function stateOf(upstream: Upstream): Promise<{ db: string; replicas: number; ready: number }> {
  await upstream.refresh();
  const answers = await Promise.all(
    upstream.replicas.map((replica) =>
      replica.get('/health/ready', ASK_LIMIT_MS).then(
        ({ status }) => status === 200,
        () => false,
      ),
    ),
  );
  return { db: upstream.db, replicas: answers.length, ready: answers.filter(Boolean).length };
}
