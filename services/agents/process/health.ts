import type { FastifyInstance } from 'fastify';
import { HttpProblem } from '../../base/http/problem.ts';
import type { AgentContext } from '../app/agent-context.ts';

/** `/health/live`: the process answers. `/health/ready`: runs can be found too. Of services it says nothing. */
export function healthRoutes(app: FastifyInstance, { tasks, runs }: AgentContext): void {
  const config = { kind: 'health' };
  const count = [...tasks].length;

  app.get('/health/live', { config }, (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'live' }),
  );

  app.get('/health/ready', { config }, (_request, reply) => {
    try {
      runs?.store.run('');
    } catch (error) {
      app.log.error({ err: error }, 'the runs cannot be read');
      throw new HttpProblem('NOT_READY', 'The runs cannot be read', { headers: { 'retry-after': '5' } });
    }
    return reply.header('cache-control', 'no-store').send({ status: 'ready', tasks: count });
  });
}
