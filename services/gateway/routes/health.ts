import type { FieldError } from '../../../contracts/problem.ts';
import { HttpProblem } from '../../base/http/problem.ts';
import type { Upstream } from '../../base/upstream/upstream.ts';
import { ASK_LIMIT_MS, type GatewayRoutes } from '../forward/context.ts';

/**
 * `/health/live`: the gateway answers, and so can answer for whichever domains are up: what an orchestrator should
 * ask. `/health/ready`: every domain has a replica that is ready, and the process for agents is, if there is one.
 */
export const healthRoutes: GatewayRoutes = (app, { upstreams }) => {
  const config = { kind: 'health', open: true };

  app.get('/health/live', { config }, (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'live' }),
  );

  app.get('/health/ready', { config }, async (_request, reply) => {
    const states = await Promise.all([...upstreams].map(stateOf));
    const agents = upstreams.agents && (await stateOf(upstreams.agents));
    const down = [...states, ...(agents ? [agents] : [])].filter(({ ready }) => ready === 0);
    if (down.length === 0) {
      const domains = Object.fromEntries(states.map(({ db, ...counts }) => [db, counts]));
      const body = { status: 'ready', domains, ...(agents ? { agents: { ready: agents.ready } } : {}) };
      return reply.header('cache-control', 'no-store').send(body);
    }
    const count = agents ? `${states.length} domains and the process for agents` : `${states.length} domains`;
    throw new HttpProblem('NOT_READY', `${down.length} of ${count} are not ready`, {
      errors: down.map(problemOf),
      headers: { 'retry-after': '1' },
    });
  });
};

function problemOf({ db, replicas }: State): FieldError {
  const what = db === '' ? 'process for agents' : `service of ${db}`;
  return {
    field: db === '' ? 'agents' : db,
    code: 'unavailable',
    message: replicas === 0 ? `there is no ${what}` : `no ${what} is ready`,
  };
}

interface State {
  readonly db: string;
  readonly replicas: number;
  readonly ready: number;
}

async function stateOf(upstream: Upstream): Promise<State> {
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
