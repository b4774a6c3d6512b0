import type { FastifyInstance, FastifyServerOptions } from 'fastify';
import { type Farm, splitOf } from '../../contracts/farm.ts';
import {
  chooseDomains,
  type PlacesOptions,
  placeOf,
  readFarm,
  requirePart,
  servedFiles,
  servicePlaces,
} from '../base/farm.ts';
import { createApp } from '../base/http/create-app.ts';
import { type AccessOptions, allowOrigins, guard } from '../base/http/guard.ts';
import { serveConsole } from '../base/http/index-page.ts';
import { hasMetricsKey } from '../base/http/keys.ts';
import { cameForHarness, type Listening, listen, listenForHarness } from '../base/http/listen.ts';
import { HttpProblem } from '../base/http/problem.ts';
import { DEFAULT_LIMITS, type Limits } from '../base/limits.ts';
import type { TelemetryOptions } from '../base/telemetry.ts';
import {
  agentsUpstream,
  DEFAULT_REPLICA_LIMITS,
  type ReplicaLimits,
  Upstreams,
  upstreamsOf,
} from '../base/upstream.ts';
import { type GatewayContext, type GatewayRoutes, gatewayMetrics, ResponseCache } from './forward.ts';
import { metricsRoutes } from './metrics.ts';
import { openapiRoutes } from './openapi.ts';
import { agentRoutes, catalogRoutes, docsRoutes, domainRoutes, healthRoutes, indexPage } from './routes.ts';

export interface StartGatewayOptions
  extends Omit<GatewayOptions, 'farm' | 'services' | 'agents' | 'agentsHarness'>,
    PlacesOptions {
  readonly port: number;
  readonly host?: string;
  readonly agentsAt?: string;
  /** URL of that process's harness port. */
  readonly agentsHarnessAt?: string;
  /** A second port, for the harness: in an exam it serves everything that is not for agents. 0 takes any free one. */
  readonly harnessPort?: number;
  /** The expected `partHash` of the files of all services; a farm with another one is refused. */
  readonly expect?: string;
}

export interface RunningGateway extends Listening {
  readonly app: FastifyInstance;
  readonly farm: Farm;
  readonly harnessAddress?: string | undefined;
}

/** Reads only farm.json of a farm, and listens. Throws FARM_NOT_FOUND, FARM_INVALID, FARM_CHANGED, OPTION_INVALID. */
export async function startGateway(folder: string, options: StartGatewayOptions): Promise<RunningGateway> {
  const { root, farm } = readFarm(folder);
  const { agentsAt, agentsHarnessAt, harnessPort, host, expect, only } = options;
  if (expect !== undefined) requirePart(root, farm, chooseDomains(farm, only).flatMap(servedFiles), expect);
  const app = await buildGateway({
    ...options,
    farm,
    services: servicePlaces(farm, options),
    agents: agentsAt ? placeOf(agentsAt, '--agents-at', 'give an address as http://agents:8080') : undefined,
    agentsHarness: agentsHarnessAt
      ? placeOf(agentsHarnessAt, '--agents-harness-at', 'give an address as http://agents:8081')
      : undefined,
  });
  const harnessAddress =
    harnessPort === undefined ? undefined : await listenForHarness(app, { port: harnessPort, host });
  return { app, farm, harnessAddress, ...(await listen(app, options)) };
}

export interface GatewayOptions extends AccessOptions {
  readonly farm: Farm;
  /** URLs of each domain's replicas; domains without an entry are not routed. */
  readonly services: ReadonlyMap<string, readonly URL[]>;
  /** URL of the agents' process; without it there are no tasks, tool lists, MCP or runs. */
  readonly agents?: URL | undefined;
  /** URL of the same process's harness port. */
  readonly agentsHarness?: URL | undefined;
  /** Whether agents can reach only their runs; everything else is served at the harness's port. */
  readonly exam?: boolean;
  readonly limits?: Partial<Limits>;
  readonly replicas?: Partial<ReplicaLimits>;
  readonly cache?: { readonly bytes: number };
  readonly logger?: FastifyServerOptions['logger'];
  readonly watch?: TelemetryOptions;
  /** The folder of the built console; without it browsers get a plain page. */
  readonly console?: string | undefined;
}

/** The agents' process waits for services itself, and has streams that may be silent for long. */
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

  // Bodies are passed on unchanged; the services validate them.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  metrics.requests.observe(app, (db) => upstreams.byName(db) !== undefined);
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
    (db) => splitOf(farm, db),
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
    metrics: gatewayMetrics(upstreams, responses),
  };
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route is open to an exam's agents. */
    inExam?: boolean;
  }
}

/** In an exam, limits the gateway's port to runs, health and, with their key, metrics. */
function keepToRuns(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { inExam = false, open } = request.routeOptions.config;
    if (inExam || open !== undefined || cameForHarness(request) || hasMetricsKey(request)) return done();
    done(new HttpProblem('UNKNOWN_ROUTE', 'There is nothing at this address'));
  });
}
