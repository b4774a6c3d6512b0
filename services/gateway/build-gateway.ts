import type { FastifyInstance, FastifyServerOptions } from 'fastify';
import type { Farm } from '../../contracts/farm.ts';
import { type AccessOptions, allowOrigins, guard } from '../base/access/guard.ts';
import { createApp } from '../base/http/create-app.ts';
import { DEFAULT_LIMITS, type Limits } from '../base/limits.ts';
import { serveConsole } from '../base/pages/console-files.ts';
import { agentsUpstream, upstreamsOf } from '../base/upstream/known-upstreams.ts';
import { DEFAULT_REPLICA_LIMITS, type ReplicaLimits } from '../base/upstream/replica.ts';
import { Upstreams } from '../base/upstream/upstreams.ts';
import type { TelemetryOptions } from '../base/watch/watch.ts';
import type { GatewayContext, GatewayRoutes } from './forward/context.ts';
import { GatewayMetrics } from './forward/metrics.ts';
import { ResponseCache } from './forward/response-cache.ts';
import { keepToRuns } from './keep-to-runs.ts';
import { agentRoutes } from './routes/agents.ts';
import { catalogRoutes } from './routes/catalog.ts';
import { docsRoutes } from './routes/docs.ts';
import { domainRoutes } from './routes/domains.ts';
import { healthRoutes } from './routes/health.ts';
import { indexPage } from './routes/index-page.ts';
import { metricsRoutes } from './routes/metrics.ts';
import { openapiRoutes } from './routes/openapi.ts';

export interface GatewayOptions extends AccessOptions {
  readonly farm: Farm;
  /** Where each domain's service is, at one place or several; domains without an entry are not routed to. */
  readonly services: ReadonlyMap<string, readonly URL[]>;
  /** Where the process is that serves agents; without it there are no tasks, tool lists, MCP and runs. */
  readonly agents?: URL;
  /** Where the same process has its port for the harness. */
  readonly agentsHarness?: URL;
  /** Agents reach their runs only; the rest is answered at the port of the harness. */
  readonly exam?: boolean;
  readonly limits?: Partial<Limits>;
  readonly replicas?: Partial<ReplicaLimits>;
  /** Answers kept in memory. */
  readonly cache?: { readonly bytes: number };
  readonly logger?: FastifyServerOptions['logger'];
  readonly watch?: TelemetryOptions;
  /** The folder of the built console; without it browsers get a plain page. */
  readonly console?: string | undefined;
}

/** It waits for services itself, and has streams that may be silent for long. */
const AGENT_LIMITS = { answerMs: 90_000, silenceMs: 0 };
const DEFAULT_CACHE_BYTES = 32 * 1024 * 1024;
const ROUTES: readonly GatewayRoutes[] = [
  domainRoutes,
  agentRoutes,
  indexPage,
  catalogRoutes,
  openapiRoutes,
  docsRoutes,
  healthRoutes,
  metricsRoutes,
];

/** The gateway of a farm as a fastify app that does not listen: one address for the services of all domains. */
export async function buildGateway(options: GatewayOptions): Promise<FastifyInstance> {
  const app = await createApp({ ...DEFAULT_LIMITS, ...options.limits }, options.logger, {
    ...options.watch,
    trustProxy: options.trustProxy,
  });
  await allowOrigins(app, options.cors);
  const context = makeContext(options);
  const { upstreams, metrics } = context;

  // Bodies are passed on as they are; the services check them.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.addHook('onResponse', (request, reply, done) => {
    const { db } = request.params as { db?: string };
    metrics.observe(request, reply, db !== undefined && upstreams.byName(db) ? db : '');
    done();
  });
  app.addHook('onReady', async () => upstreams.watch());
  app.addHook('onClose', async () => upstreams.close());
  if (options.exam) keepToRuns(app);
  await guard(app, options);
  if (options.console !== undefined) serveConsole(app, options.console);

  for (const routes of ROUTES) routes(app, context);
  return app;
}

function makeContext({
  farm,
  services,
  agents,
  agentsHarness,
  exam = false,
  metricsKey,
  replicas,
  cache,
}: GatewayOptions): GatewayContext {
  const limits = { ...DEFAULT_REPLICA_LIMITS, ...replicas };
  const routed = farm.domains.flatMap(({ db }) => {
    const urls = services.get(db);
    return urls ? [[db, urls] as const] : [];
  });
  const agentsAt = (place?: URL) =>
    place && agentsUpstream({ ...limits, ...AGENT_LIMITS, ...replicas, urls: [place] });
  const upstreams = new Upstreams(
    farm.split.name,
    upstreamsOf(new Map(routed), limits),
    agentsAt(agents),
    agentsAt(agentsHarness),
  );
  const responses = new ResponseCache(cache?.bytes ?? DEFAULT_CACHE_BYTES);
  return {
    farm,
    upstreams,
    exam,
    metricsKey,
    cache: responses,
    metrics: new GatewayMetrics(upstreams, responses),
  };
}
