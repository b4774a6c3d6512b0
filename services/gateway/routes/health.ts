import type { FieldError } from '../../../contracts/problem.ts';
import { counted } from '../../../contracts/wording.ts';
import { HttpProblem } from '../../base/http/problem.ts';
import type { Upstream } from '../../base/upstream/upstream.ts';
import { askReplicas } from '../forward/ask-replicas.ts';
import type { GatewayRoutes } from '../forward/context.ts';
import { CachedLookup } from '../forward/recent.ts';

/** However often readiness is asked for, the services are asked once in this time. */
const READINESS_KEEP_MS = 1000;

/**
 * `/health/live`: the gateway answers, and so can answer for whichever domains are up: what an orchestrator should
 * ask. `/health/ready`: every domain has a replica that is ready, and the process for agents is, if there is one.
 * Neither needs a key; the second counts against the limit of rates, and names no domain in an exam.
 */
export const healthRoutes: GatewayRoutes = (app, { upstreams, exam }) => {
  const survey = new CachedLookup(() => readiness(upstreams.all, exam), READINESS_KEEP_MS);

  app.get('/health/live', { config: { kind: 'health', open: 'free' } }, (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'live' }),
  );

  app.get('/health/ready', { config: { kind: 'health', open: 'counted' } }, async (_request, reply) => {
    const found = await survey.get();
    if (found instanceof HttpProblem) throw found;
    return reply
      .headers({ 'cache-control': 'no-store', 'content-type': 'application/json; charset=utf-8' })
      .send(found);
  });
};

interface State {
  readonly upstream: Upstream;
  readonly replicas: number;
  readonly ready: number;
}

/** The text of the answer when all are ready, else the problem. */
async function readiness(upstreams: readonly Upstream[], exam: boolean): Promise<string | HttpProblem> {
  await Promise.all(upstreams.map((upstream) => upstream.refresh()));
  const said = await askReplicas(upstreams, '/health/ready');
  const states = upstreams.map((upstream): State => {
    const answers = said.filter((each) => each.upstream === upstream);
    const ready = answers.filter(({ text }) => text !== undefined).length;
    return { upstream, replicas: answers.length, ready };
  });
  const problems = states.filter(({ ready }) => ready === 0).flatMap(problemsOf);
  const agents = states.find(({ upstream }) => upstream.dbs.length === 0);
  const ofDomains = states.flatMap(({ upstream, replicas, ready }) =>
    upstream.dbs.map((db) => [db, { replicas, ready }] as const),
  );
  if (problems.length === 0) {
    const domains = exam ? ofDomains.length : Object.fromEntries(ofDomains);
    return JSON.stringify({
      status: 'ready',
      domains,
      ...(agents ? { agents: { ready: agents.ready } } : {}),
    });
  }
  const count = `${counted(ofDomains.length, 'domain')}${agents ? ' and the process for agents' : ''}`;
  return new HttpProblem('NOT_READY', `${problems.length} of ${count} are not ready`, {
    errors: exam ? [] : problems,
    headers: { 'retry-after': '1' },
  });
}

/** One entry a domain that cannot be asked. */
function problemsOf({ upstream: { dbs }, replicas }: State): FieldError[] {
  const fields = dbs.length === 0 ? [{ field: 'agents', what: 'process for agents' }] : [];
  const domains = dbs.map((db) => ({ field: db, what: `service of ${db}` }));
  return [...fields, ...domains].map(({ field, what }) => ({
    field,
    code: 'unavailable',
    message: replicas === 0 ? `there is no ${what}` : `no ${what} is ready`,
  }));
}
