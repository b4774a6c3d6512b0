import type { FastifyReply, FastifyRequest } from 'fastify';
import { type DomainIndex, type FieldError, servedIndex } from '../../contracts/api.ts';
import { type Farm, splitOf } from '../../contracts/farm.ts';
import { counted } from '../../contracts/wording.ts';
import { referenceRoutes } from '../base/http/api-document.ts';
import { addressesOf, INDEX_ROUTE, LLMS_ROUTE, sendIndex, sendLlmsText } from '../base/http/index-page.ts';
import { isFresh } from '../base/http/json.ts';
import { cameForHarness } from '../base/http/listen.ts';
import { HttpProblem, unknownName } from '../base/http/problem.ts';
import type { Upstream } from '../base/upstream.ts';
import {
  ask,
  askReplicas,
  type CachedResponse,
  cachedLookup,
  forward,
  type GatewayRoutes,
} from './forward.ts';

const PLACES = ['/farm', '/board', '/tasks', '/tools', '/lists', '/mcp', '/runs', '/sdk', '/doors'];
/** The address of a run, and everything that an agent uses below it. */
const OF_RUNS = ' /answer /tools /openapi.json /sdk.:extension /tasks /tasks/* /call/:tool /v1/* /mcp /mcp/*'
  .split(' ')
  .map((below) => `/runs/:id${below}`);

/**
 * Forwards the requests of agents and harnesses to the process that serves them, if there is one; requests at the
 * harness's own port go to that process's harness port. A request that may have been carried out is never repeated:
 * runs count calls, by GET too.
 */
export const agentRoutes: GatewayRoutes = (app, { upstreams, exam, metrics }) => {
  const { agents, agentsHarness } = upstreams;
  if (!agents) return;
  const route = (url: string, inExam: boolean) =>
    app.all(url, { config: { kind: 'agents', inExam } }, (request, reply) => {
      const place = (cameForHarness(request) ? agentsHarness : undefined) ?? agents;
      return forward(place, request, reply, { metrics, repeatable: false, keepHost: true });
    });
  if (exam) for (const url of OF_RUNS) route(url, true);
  for (const url of PLACES.flatMap((place) => [place, `${place}/*`])) route(url, false);
};

/** Forwards `/v1/<split>/<db>/…` to the domain's service, answering from the cache where possible. */
export const domainRoutes: GatewayRoutes = (app, { upstreams, metrics, cache }) => {
  app.all<{ Params: { split: string; db: string } }>(
    '/v1/:split/:db/*',
    { config: { kind: 'domain' } },
    async (request, reply) => {
      const { split, db } = request.params;
      const upstream = upstreams.get(split, db);
      if (request.method !== 'GET') return forward(upstream, request, reply, { metrics, repeatable: true });
      const url = request.raw.url as string;
      const known = cache.get(upstream, url);
      if (known) return sendKept(request, reply, known);
      const { generation } = upstream;
      const keep = (answer: CachedResponse) => cache.set(generation, url, answer);
      const keeper = { maxBodyBytes: cache.maxBodyBytes, keep };
      return forward(upstream, request, reply, { metrics, repeatable: true, keeper });
    },
  );
};

function sendKept(request: FastifyRequest, reply: FastifyReply, { headers, etag, body }: CachedResponse) {
  reply.headers(headers);
  if (!isFresh(request, etag)) return reply.send(body);
  return reply.removeHeader('content-type').code(304).send();
}

export const catalogRoutes: GatewayRoutes = (app, { upstreams, metrics }) => {
  app.get<{ Params: { db: string } }>(
    '/catalog/:db',
    { config: { kind: 'catalog' } },
    async (request, reply) => {
      const { db } = request.params;
      const upstream = upstreams.byName(db);
      const missing = 'There is no domain';
      if (!upstream) throw unknownName('UNKNOWN_DOMAIN', { missing, name: db, known: upstreams.domains });
      return forward(upstream, request, reply, { metrics, repeatable: true });
    },
  );
};

/** `/docs`, `/docs/<db>…`: to the API references. */
export const docsRoutes: GatewayRoutes = (app, { farm, upstreams }) => {
  referenceRoutes(app, {
    names: () => upstreams.domains,
    hasOpenapi: (db, formulation) => `openapi/${db}.${formulation}.json` in farm.files,
    hasOwnApi: upstreams.agents !== undefined,
  });
};

/** The services are asked for the page at most once in this time. */
const INDEX_KEEP_MS = 1000;

/** `GET /`, `/llms.txt`: the descriptions of all services; for one that is down, farm.json's. */
export const indexPage: GatewayRoutes = (app, { farm, upstreams }) => {
  const index = cachedLookup(async () => {
    const asked = upstreams.services.map(async (upstream) => {
      const text = await ask(upstream, '/');
      const described = text === undefined ? [] : servedIndex.parse(JSON.parse(text)).domains;
      return upstream.dbs.map((db) => described.find((domain) => domain.db === db) ?? fromFarm(farm, db));
    });
    return (await Promise.all(asked)).flat();
  }, INDEX_KEEP_MS);

  app.get('/', { config: INDEX_ROUTE }, async (request, reply) => {
    return sendIndex(request, reply, await index());
  });
  app.get('/llms.txt', { config: LLMS_ROUTE }, async (_request, reply) => sendLlmsText(reply, await index()));
};

function fromFarm(farm: Farm, db: string): DomainIndex {
  const split = splitOf(farm, db);
  const domain = farm.domains.find((each) => each.db === db);
  return {
    split,
    db,
    title: domain?.title ?? db,
    endpoints: domain?.endpoints ?? 0,
    start_tables: domain?.start_tables ?? 0,
    status: 'unavailable',
    ...addressesOf(split, db, (formulation) => `openapi/${db}.${formulation}.json` in farm.files),
  };
}

/** The services are asked for readiness at most once in this time. */
const READINESS_KEEP_MS = 1000;

/**
 * `/health/live`: the gateway answers, and so can serve the domains that are up: the probe for orchestrators.
 * `/health/ready`: every domain has a ready replica, and the agents' process is ready, if there is one. Neither needs
 * a key; the second counts against the rate limit, and names no domain in an exam.
 */
export const healthRoutes: GatewayRoutes = (app, { upstreams, exam }) => {
  const survey = cachedLookup(() => readiness(upstreams.all, exam), READINESS_KEEP_MS);

  app.get('/health/live', { config: { kind: 'health', open: 'free' } }, (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'live' }),
  );

  app.get('/health/ready', { config: { kind: 'health', open: 'counted' } }, async (_request, reply) => {
    const found = await survey();
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

/** The response body when all are ready, else the problem. */
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

/** One entry per domain that is not available. */
function problemsOf({ upstream: { dbs }, replicas }: State): FieldError[] {
  const fields = dbs.length === 0 ? [{ field: 'agents', what: 'process for agents' }] : [];
  const domains = dbs.map((db) => ({ field: db, what: `service of ${db}` }));
  return [...fields, ...domains].map(({ field, what }) => ({
    field,
    code: 'unavailable',
    message: replicas === 0 ? `there is no ${what}` : `no ${what} is ready`,
  }));
}
