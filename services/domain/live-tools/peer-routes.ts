import type { FastifyInstance } from 'fastify';
import { printExactJson } from '../../../contracts/exact-json.ts';
import { HttpProblem } from '../../base/http/problem.ts';
import { PEER_PREFIX } from './replicas/peer-prefix.ts';
import { recipe } from './replicas/recipe.ts';
import type { ToolContext } from './tool-context.ts';

interface HandlePath {
  readonly split: string;
  readonly db: string;
  readonly handle: string;
}

/**
 * `GET /internal/handles/:split/:db/:handle`: how a handle is made; `POST /internal/handles/:split/:db`: handles that a
 * peer hands over before it stops. A recipe consists of calls from outside, so it is validated like any request.
 */
export function peerRoutes(app: FastifyInstance, { domains, tools }: ToolContext): void {
  if (!tools.hasPeers) return;

  app.get(`${PEER_PREFIX}/:split/:db/:handle`, { config: { kind: 'peer' } }, (request, reply) => {
    const { split, db, handle } = request.params as HandlePath;
    const calls = tools.of(domains.get(split, db)).recipe(handle);
    if (!calls) throw new HttpProblem('UNKNOWN_HANDLE', `there is no result ${handle.slice(0, 80)} here`);
    return reply.header('cache-control', 'no-store').type('application/json').send(printExactJson(calls));
  });

  app.post(`${PEER_PREFIX}/:split/:db`, { config: { kind: 'peer' } }, (request, reply) => {
    const { split, db } = request.params as HandlePath;
    const calls = recipe.safeParse(request.body);
    if (!calls.success) throw new HttpProblem('BAD_REQUEST', 'This is no list of calls.');
    tools.of(domains.get(split, db)).follow(calls.data);
    return reply.code(204).send();
  });

  app.addHook('onClose', () => tools.handOver(domains));
}
