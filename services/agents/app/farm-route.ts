import { servedFarm } from '../../../contracts/served-farm.ts';
import { HttpProblem } from '../../base/http/problem.ts';
import { answers, type TypedApp } from '../../base/http/typed-routes.ts';
import type { AgentContext } from './agent-context.ts';

/** `GET /farm`: which farm is served, for whoever compares figures. */
export function farmRoute(app: TypedApp, { farm }: AgentContext): void {
  app.get(
    '/farm',
    {
      config: { kind: 'farm' },
      schema: {
        operationId: 'get_farm',
        tags: ['service'],
        summary: 'Which farm is served: its hash, its world, and how much of its split it kept.',
        response: answers({ 200: servedFarm }),
      },
    },
    (_request, reply) => {
      if (!farm) throw new HttpProblem('UNKNOWN_ROUTE', 'These services are of no farm.');
      reply.header('cache-control', 'no-cache');
      return farm();
    },
  );
}
