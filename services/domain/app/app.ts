import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyServerOptions } from 'fastify';
import type { TableApiStyle } from '../../../contracts/table-api.ts';
import { type AccessOptions, allowOrigins, guard } from '../../base/access/guard.ts';
import { serveMetrics } from '../../base/access/serve-metrics.ts';
import type { DomainOptions } from '../../base/farm/domain-options.ts';
import type { OpenapiSource } from '../../base/farm/load-farm.ts';
import { serveApiDocument } from '../../base/http/api-document.ts';
import { createApp } from '../../base/http/create-app.ts';
import { DEFAULT_LIMITS, type Limits } from '../../base/limits.ts';
import { serveConsole } from '../../base/pages/console-files.ts';
import type { ChildPoolOptions } from '../../base/sandbox/index.ts';
import { betterSqlite3 } from '../../base/sqlite/better-sqlite3.ts';
import type { Driver } from '../../base/sqlite/driver.ts';
import type { TelemetryOptions } from '../../base/watch/watch.ts';
import { SERVED_FORMULATIONS } from '../formulations/registry.ts';
import { LiveTools } from '../live-tools/live-tools.ts';
import { peerRoutes } from '../live-tools/peer-routes.ts';
import { warmForTools } from '../live-tools/routes.ts';
import { catalogRoute } from '../pages/catalog-route.ts';
import { docsPage } from '../pages/docs-page.ts';
import { landingPage } from '../pages/landing-page.ts';
import { sqlRoutes } from '../planner/routes.ts';
import { AnswerCache } from '../runtime/answer-cache.ts';
import { DomainRegistry } from '../runtime/domain-registry.ts';
import { Metrics } from '../runtime/metrics.ts';
import { ServedDomain } from '../runtime/served-domain.ts';
import { SlowQueries } from '../runtime/slow-queries.ts';
import { Workspaces } from '../runtime/workspaces.ts';
import { scalarRoutes } from '../scalars/routes.ts';
import { tableRoutes } from '../tables/routes.ts';
import type { ServeContext, ServePlugin } from './context.ts';
import { health } from './health.ts';
import { openapiFiles } from './openapi-files.ts';

export interface AppOptions {
  readonly domains: readonly DomainOptions[];
  readonly openapi?: OpenapiSource;
  /** Which OpenAPI files there are; found by asking `openapi` when not given. */
  readonly hasOpenapi?: (db: string, formulation: string) => boolean;
  readonly limits?: Partial<Limits>;
  /** Child processes for slow queries and for statements, how many more may wait for them, and how long by the clock. */
  readonly pool?: Partial<Pick<ChildPoolOptions, 'size' | 'maxQueue' | 'patience'>>;
  /** A pool shared with other apps; its creator closes it. */
  readonly slowQueries?: SlowQueries;
  /** Answers kept in memory. */
  readonly cache?: { readonly bytes: number } | undefined;
  /** How many bytes of handles are kept for each domain. */
  readonly handles?: { readonly bytes: number } | undefined;
  /** Default: errors only, as JSON lines on stderr; false for none. */
  readonly logger?: FastifyServerOptions['logger'];
  readonly watch?: TelemetryOptions;
  /** Where the other replicas of this service are, which may know handles that were made there. */
  readonly peers?: readonly URL[];
  /** API keys and limits, if callers reach this app directly; in a farm of containers the gateway checks them. */
  readonly access?: AccessOptions | undefined;
  readonly plugins?: readonly ServePlugin[];
  readonly driver?: Driver;
  /** How much the APIs of tables can do; rich unless given. */
  readonly tableApi?: TableApiStyle | undefined;
  /** The folder of the built console; without it browsers get a plain page. */
  readonly console?: string | undefined;
}

const DEFAULT_POOL = { size: 2, maxQueue: 64 };
const DEFAULT_CACHE_BYTES = 64 * 1024 * 1024;
const BUILT_IN: readonly ServePlugin[] = [
  landingPage,
  catalogRoute,
  openapiFiles,
  docsPage,
  health,
  metricsRoute,
  warmForTools,
  ...Object.values(SERVED_FORMULATIONS).map(({ routes }) => routes),
  peerRoutes,
  tableRoutes,
  scalarRoutes,
  sqlRoutes,
];

/** The service of some domains as a fastify app that does not listen. Databases open on first use. */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const { access } = options;
  const app = await createApp(limits, options.logger, { ...options.watch, trustProxy: access?.trustProxy });
  await allowOrigins(app, access?.cors);
  const context = makeContext(options, limits);
  serveApiDocument(app);

  app.addHook('onResponse', (request, reply, done) => {
    const { db } = request.params as { db?: string };
    context.metrics.observe(request, reply, db !== undefined && context.domains.byName(db) ? db : '');
    done();
  });
  app.addHook('onClose', async () => {
    if (!options.slowQueries) await context.slowQueries.close();
    await context.workspaces.close();
    for (const domain of context.domains) domain.close();
  });

  if (access) await guard(app, access);
  if (options.console !== undefined) serveConsole(app, options.console);

  for (const plugin of [...BUILT_IN, ...(options.plugins ?? [])]) await plugin(app, context);
  return app;
}

function makeContext(options: AppOptions, limits: Limits): ServeContext {
  const driver = options.driver ?? betterSqlite3;
  const openapi = options.openapi ?? (() => undefined);
  const domains = new DomainRegistry(
    options.domains.map(
      ({ service, database, version = randomUUID() }) =>
        new ServedDomain(service, database, `${version} ${limits.maxRows} ${limits.maxBytes}`, driver),
    ),
  );
  const slowQueries =
    options.slowQueries ?? new SlowQueries({ ...DEFAULT_POOL, ...options.pool, timeoutMs: limits.timeoutMs });
  const cache = new AnswerCache(options.cache?.bytes ?? DEFAULT_CACHE_BYTES);
  return {
    domains,
    limits,
    slowQueries,
    workspaces: new Workspaces({ ...DEFAULT_POOL, ...options.pool, timeoutMs: limits.timeoutMs }),
    tools: new LiveTools({
      limits,
      slowQueries,
      cache,
      handleBytes: options.handles?.bytes,
      peers: options.peers,
    }),
    cache,
    metrics: new Metrics({ cache, slowQueries, domains: options.domains.length }),
    readiness: [],
    tableApi: options.tableApi,
    openapi,
    hasOpenapi: options.hasOpenapi ?? ((db, formulation) => openapi(db, formulation) !== undefined),
  };
}

function metricsRoute(app: FastifyInstance, { metrics }: ServeContext): void {
  serveMetrics(app, metrics);
}
