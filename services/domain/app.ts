import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { FastifyInstance, FastifyServerOptions } from 'fastify';
import { z } from 'zod';
import {
  type DomainIndex,
  type Growth,
  openapiDocument,
  type ServedCatalog,
  servedCatalog,
  servedIndex,
} from '../../contracts/api.ts';
import type { TableApiStyle } from '../../contracts/hybrid.ts';
import { printOpenapi, readOpenapiFile } from '../../contracts/openapi.ts';
import { DEFAULT_FORMULATION, type Formulation } from '../../contracts/sample.ts';
import type { Service } from '../../contracts/service.ts';
import type { DomainOptions, OpenapiSource } from '../base/farm.ts';
import { referenceRoutes, serveApiDocument, unknownFile } from '../base/http/api-document.ts';
import { OwnRequests } from '../base/http/caller.ts';
import { createApp } from '../base/http/create-app.ts';
import { type AccessOptions, allowOrigins, guard, serveMetrics } from '../base/http/guard.ts';
import {
  addressesOf,
  INDEX_ROUTE,
  LLMS_ROUTE,
  sendIndex,
  sendLlmsText,
  serveConsole,
} from '../base/http/index-page.ts';
import { etagOf, sendTagged } from '../base/http/json.ts';
import { HttpProblem, unknownName } from '../base/http/problem.ts';
import { answers, liveRoute, readyRoute } from '../base/http/typed-routes.ts';
import { DEFAULT_LIMITS, type Limits } from '../base/limits.ts';
import { betterSqlite3 } from '../base/sqlite/better-sqlite3.ts';
import type { ChildPoolOptions } from '../base/sqlite/child-pool.ts';
import type { Driver } from '../base/sqlite/driver.ts';
import { callWatchers, type TelemetryOptions } from '../base/telemetry.ts';
import { DomainCalls, stateRoutes } from './domain-calls.ts';
import { SERVED_FORMULATIONS } from './formulations.ts';
import { sqlRoutes } from './hybrid/hybrid-routes.ts';
import { scalarRoutes } from './hybrid/scalar-routes.ts';
import { tableRoutes } from './hybrid/table-routes.ts';
import { servedPolicies } from './records/policies.ts';
import { AnswerCache, DomainRegistry, Metrics, ServedDomain, SlowQueries, Workspaces } from './runtime.ts';
import { LiveTools, peerRoutes, type ToolContext, warmForTools } from './tools/live-tools.ts';

const catalogRouteSchema = {
  operationId: 'get_catalog',
  tags: ['service'],
  summary: 'What a domain holds: its tables with columns and keys, its start tables and its endpoints.',
  params: z.object({ db: z.string() }),
  response: answers({ 200: servedCatalog }),
};

function catalogRoute(app: FastifyInstance, { domains }: PageContext): void {
  app.get<{ Params: { db: string } }>(
    '/catalog/:db',
    { config: { kind: 'catalog' }, schema: catalogRouteSchema },
    (request, reply) => {
      const { db } = request.params;
      const domain = domains.byName(db);
      if (!domain)
        throw unknownName('UNKNOWN_DOMAIN', {
          missing: 'There is no domain',
          name: db,
          known: domains.names,
        });
      const etag = etagOf(domain.version, request.url);
      return sendTagged(request, reply, etag, () => JSON.stringify(catalogOf(domain.service)));
    },
  );
}

function catalogOf({ catalog, endpoints, ...service }: Service): ServedCatalog {
  const { split, db, title, data_licence, reference_time, start_tables } = service;
  return {
    split,
    db,
    title,
    ...(data_licence === undefined ? {} : { data_licence }),
    reference_time,
    glossary: catalog.glossary,
    policies: catalog.policies && servedPolicies(catalog),
    documents: catalog.documents,
    tables: catalog.tables,
    start_tables,
    endpoints: endpoints.map(({ sql: _, ...endpoint }) => endpoint),
  };
}

/** `GET /`: what is served, as HTML for people and as JSON for programs. `/llms.txt`: the same for language models. */
function landingPage(app: FastifyInstance, context: PageContext): void {
  const described = () => [...context.domains].map((domain) => describeDomain(context, domain));
  const schema = {
    operationId: 'get_index',
    tags: ['service'],
    summary: 'What is served: as JSON, or as a page for browsers.',
    response: answers({ 200: servedIndex }),
  };
  app.get('/', { config: INDEX_ROUTE, schema }, (request, reply) => {
    return sendIndex(request, reply, described(), context.live.growth);
  });
  app.get('/llms.txt', { config: LLMS_ROUTE }, (_request, reply) => sendLlmsText(reply, described()));
}

function describeDomain(context: PageContext, { service }: ServedDomain): DomainIndex {
  return {
    split: service.split,
    db: service.db,
    title: service.title,
    about: aboutDomain(service.catalog),
    endpoints: service.endpoints.length,
    start_tables: service.start_tables.length,
    tables: service.catalog.tables.length,
    ...addressesOf(service.split, service.db, (formulation) => context.hasOpenapi(service.db, formulation)),
  };
}

const MOST_TABLES_NAMED = 8;

/**
 * A sentence about a domain: the text below its glossary's title, else whose glossary it is and what its tables hold.
 */
export function aboutDomain({ glossary = '', tables }: Service['catalog']): string {
  const [, title = '', text = ''] =
    /^# *(.*)\n+(?!#)([^\n]+(?:\n[^\n]+)*)/.exec(glossary) ?? /^# *(.*)/.exec(glossary) ?? [];
  if (text !== '') return text.replaceAll('\n', ' ');
  const owner = /^Glossary of (.+)$/.exec(title.trim())?.[1];
  const names = tables.map(
    ({ name, friendly_name, words }) => words?.many ?? friendly_name ?? name.replaceAll('_', ' '),
  );
  const named = names.slice(0, MOST_TABLES_NAMED);
  if (names.length > named.length) named.push('more');
  const list = [named.slice(0, -1).join(', '), named.at(-1)].filter(Boolean).join(' and ');
  const sentence = [owner, list].filter(Boolean).join(': ');
  if (sentence === '') return '';
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`;
}

const readyDomains = z.object({
  status: z.literal('ready'),
  domains: z.number().int(),
  /** How many more domains there will be, while the farm is generated. */
  coming: z.number().int().optional(),
});

/** `/health/live`: the process answers. `/health/ready`: every database opens, and every readiness check passes. */
export const health: ServePlugin = (app, { domains, readiness, live }) => {
  const opened = new Set<ServedDomain>();

  liveRoute(app);
  app.get('/health/ready', readyRoute(readyDomains), async (_request, reply) => {
    const broken: { db: string; cause: unknown }[] = [];
    const coming = live.growth?.coming.length;
    if (coming !== undefined && domains.size === 0) {
      const detail = `No domain is proven yet: ${live.growth?.step || 'generation begins'}`;
      throw new HttpProblem('NOT_READY', detail, { headers: { 'retry-after': '2' } });
    }
    for (const domain of domains) {
      if (opened.has(domain)) continue;
      try {
        domain.connection();
        opened.add(domain);
      } catch (cause) {
        broken.push({ db: domain.service.db, cause });
      }
      // Opening hundreds of databases must not delay requests in progress.
      await setImmediate();
    }
    if (broken.length === 0) {
      for (const check of readiness) await check();
      return reply
        .header('cache-control', 'no-store')
        .send({ status: 'ready', domains: opened.size, coming });
    }
    for (const { db, cause } of broken) app.log.error({ err: cause, db }, 'a database does not open');
    throw new HttpProblem('NOT_READY', `${broken.length} of the databases cannot be opened`, {
      errors: broken.map(({ db }) => ({
        field: db,
        code: 'database',
        message: `the database of ${db} does not open`,
      })),
      headers: { 'retry-after': '5' },
    });
  });
};

/** `/openapi/<db>.<formulation>.json`: the farm's files, byte for byte. */
const schema = {
  operationId: 'get_openapi_file',
  tags: ['service'],
  summary:
    "A domain's endpoints or tools as an OpenAPI document: `<db>.rest.json`, `<db>.slot.json`, `<db>.sel.json`.",
  params: z.object({ file: z.string() }),
  response: answers({ 200: openapiDocument }),
};

export const openapiFiles: ServePlugin = (app, { domains, openapi }) => {
  app.get<{ Params: { file: string } }>(
    '/openapi/:file',
    { config: { kind: 'openapi' }, schema },
    (request, reply) => {
      const { file } = request.params;
      const { db, formulation } = readOpenapiFile(file) ?? { db: null, formulation: DEFAULT_FORMULATION };
      const domain = db === null ? undefined : domains.byName(db);
      const text = domain && (openapi(domain.service.db, formulation) ?? madeDocument(domain, formulation));
      if (!domain || text === undefined) throw unknownFile(file, domains.names);
      const etag = etagOf(domain.version, request.url);
      return sendTagged(request, reply, etag, () => text);
    },
  );
};

/** The record API is there on any farm; its document is a file only where there are tasks. */
function madeDocument({ service }: ServedDomain, formulation: Formulation): string | undefined {
  return formulation === 'records' ? printOpenapi(SERVED_FORMULATIONS.records.openapi(service)) : undefined;
}

export interface AppOptions {
  readonly domains: readonly DomainOptions[];
  readonly openapi?: OpenapiSource;
  /** Whether an OpenAPI file exists. Default: look it up with `openapi`. */
  readonly hasOpenapi?: (db: string, formulation: string) => boolean;
  readonly limits?: Partial<Limits>;
  /** Child processes for slow queries and for statements: their number, queue length and wall-clock patience. */
  readonly pool?: Partial<Pick<ChildPoolOptions, 'size' | 'maxQueue' | 'patience'>>;
  /** A pool shared with other apps; its creator closes it. */
  readonly slowQueries?: SlowQueries;
  /** Byte budget of the answer cache. */
  readonly cache?: { readonly bytes: number } | undefined;
  readonly handles?: { readonly bytes: number } | undefined;
  /** Default: errors only, as JSON lines on stderr; false for none. */
  readonly logger?: FastifyServerOptions['logger'];
  readonly watch?: TelemetryOptions;
  /** Addresses of the other replicas of this service, which may know handles that this one does not. */
  readonly peers?: readonly URL[];
  readonly access?: AccessOptions | undefined;
  readonly plugins?: readonly ServePlugin[];
  readonly driver?: Driver;
  /** What the APIs of tables can do. Default: rich. */
  readonly tableApi?: TableApiStyle | undefined;
  readonly growth?: Growth | undefined;
  readonly console?: string | undefined;
}

const DEFAULT_POOL = { size: 2, maxQueue: 64 };
const DEFAULT_CACHE_BYTES = 64 * 1024 * 1024;
const BUILT_IN: readonly ServePlugin[] = [
  landingPage,
  catalogRoute,
  openapiFiles,
  (app, { domains, hasOpenapi }) =>
    referenceRoutes(app, { names: () => domains.names, hasOpenapi, hasOwnApi: true }),
  health,
  (app, { metrics }) => serveMetrics(app, metrics),
  warmForTools,
  ...Object.values(SERVED_FORMULATIONS).map(({ routes }) => routes),
  peerRoutes,
  stateRoutes,
  tableRoutes,
  scalarRoutes,
  sqlRoutes,
];

/** The service of some domains, as a fastify app that is not listening yet. Databases open on first use. */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const { access } = options;
  const app = await createApp(limits, options.logger, { ...options.watch, trustProxy: access?.trustProxy });
  await allowOrigins(app, access?.cors);
  const context = makeContext(app, options, limits);
  app.decorate('domainCalls', new DomainCalls(context, app.log, callWatchers(options.watch ?? {})));
  serveApiDocument(app);

  context.metrics.requests.observe(app, (db) => context.domains.byName(db) !== undefined);
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

function makeContext(app: FastifyInstance, options: AppOptions, limits: Limits): ServeContext {
  const driver = options.driver ?? betterSqlite3;
  const openapi = options.openapi ?? (() => undefined);
  const domains = new DomainRegistry();
  const add = ({ service, database, version = randomUUID() }: DomainOptions) =>
    domains.add(
      new ServedDomain(service, database, `${version} ${limits.maxRows} ${limits.maxBytes}`, driver),
    );
  options.domains.forEach(add);
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
    metrics: new Metrics({ cache, slowQueries, domains }),
    own: new OwnRequests(app),
    readiness: [],
    live: { growth: options.growth, onGrown: [], add },
    tableApi: options.tableApi,
    openapi,
    hasOpenapi: options.hasOpenapi ?? ((db, formulation) => openapi(db, formulation) !== undefined),
  };
}

export interface ServeContext extends ToolContext, PageContext {
  /** Further readiness checks; each throws NOT_READY while it fails. */
  readonly readiness: (() => void | Promise<void>)[];
}

export interface LiveGrowth {
  /** What is still to come; undefined when the farm is complete. */
  growth: Growth | undefined;
  /** Called after domains were added, or their tasks changed. */
  readonly onGrown: (() => void)[];
  add(domain: DomainOptions): void;
}

/** Adds routes to the service. An HttpProblem that one of them throws is answered as problem+json. */
export type ServePlugin = (app: FastifyInstance, context: ServeContext) => void | Promise<void>;

export interface PageContext {
  readonly live: LiveGrowth;
  readonly domains: DomainRegistry;
  /** Text of an emitted OpenAPI file, if the farm has it. */
  readonly openapi: OpenapiSource;
  readonly hasOpenapi: (db: string, formulation: string) => boolean;
}
