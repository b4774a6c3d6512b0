import { createHash } from 'node:crypto';
import { existsSync, statfsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { FastifyInstance, FastifyServerOptions } from 'fastify';
import { Registry } from 'prom-client';
import { z } from 'zod';
import { type Farm, splitOf } from '../../contracts/farm.ts';
import {
  agentFiles,
  chooseDomains,
  describeFarm,
  invalid,
  loadService,
  type PlacesOptions,
  readFarm,
  requirePart,
  servicePlaces,
} from '../base/farm.ts';
import { serveApiDocument } from '../base/http/api-document.ts';
import { createApp } from '../base/http/create-app.ts';
import { serveMetrics } from '../base/http/guard.ts';
import { setMetricsKey } from '../base/http/keys.ts';
import {
  type DoorPort,
  type Listening,
  listen,
  listenForDoors,
  listenForHarness,
} from '../base/http/listen.ts';
import { liveRoute, readyRoute } from '../base/http/typed-routes.ts';
import { DEFAULT_LIMITS } from '../base/limits.ts';
import { gauge, RequestMetrics, type TelemetryOptions, watchProcess } from '../base/telemetry.ts';
import { DEFAULT_REPLICA_LIMITS, Upstreams, upstreamsOf } from '../base/upstream.ts';
import { type AgentContext, type AgentOptions, agentContext } from './agent-context.ts';
import { agentRoutes } from './agent-routes.ts';
import { upstreamBackend } from './backend/upstream-backend.ts';
import { requireStore } from './runs/run-metrics.ts';
import type { RunDatabase } from './runs/run-store.ts';
import { SqliteRuns } from './runs/sqlite-runs.ts';
import { farmTasks } from './task-book.ts';

export interface StartAgentsOptions
  extends Pick<AgentOptions, 'harnessKey' | 'exam' | 'allowCode' | 'protocols'>,
    PlacesOptions {
  /** The SQLite file or database address of the run store. */
  readonly runs: string;
  readonly databases?: readonly RunDatabase[];
  /** Opens `/metrics` and nothing else. */
  readonly metricsKey?: string | undefined;
  readonly logger?: FastifyServerOptions['logger'];
  readonly watch?: TelemetryOptions;
  readonly port: number;
  readonly host?: string;
  /** A second port: in an exam, the only one that serves the harness. 0 takes any free one. */
  readonly harnessPort?: number;
  readonly door?: readonly DoorPort[];
  /** The expected `partHash` of the files it reads; a farm with another one is refused. */
  readonly expect?: string;
}

export interface RunningAgents extends Listening {
  readonly app: FastifyInstance;
  readonly farm: Farm;
  readonly harnessAddress?: string | undefined;
  readonly tasks: number;
}

/**
 * Reads only farm.json, the services' descriptions and the tasks of a farm, and listens. It opens no database of the
 * farm, since calls are sent to the domains' services, and holds no gold, so it does not score. Throws FARM_NOT_FOUND,
 * FARM_INVALID, FARM_CHANGED, OPTION_INVALID.
 */
export async function startAgents(folder: string, options: StartAgentsOptions): Promise<RunningAgents> {
  const { root, farm, text } = readFarm(folder);
  if (options.expect !== undefined) {
    requirePart(root, farm, chooseDomains(farm, options.only).flatMap(agentFiles), options.expect);
  }
  const places = servicePlaces(farm, options);
  const dbs = [...places.keys()];
  for (const path of dbs.flatMap(agentFiles)) {
    // Farms of older versions have no tasks; a listed file that is missing here is an error.
    if (path in farm.files && !existsSync(join(root, path))) throw invalid(join(root, path), 'is missing');
  }
  const tasks = farmTasks(root, farm, dbs);
  const farmHash = createHash('sha256').update(text).digest('hex');
  const { host, harnessPort, harnessKey, exam, allowCode, protocols } = options;
  const app = await createApp(DEFAULT_LIMITS, options.logger, options.watch);
  setMetricsKey(app, options.metricsKey);
  serveApiDocument(app);
  const upstreams = new Upstreams(
    (db) => (places.has(db) ? splitOf(farm, db) : undefined),
    upstreamsOf(places, DEFAULT_REPLICA_LIMITS),
  );
  const services = dbs.map((db) => loadService(root, farm, db));
  const context = await agentContext(app, services, {
    ...{ tasks, farmHash, harnessKey, exam, allowCode, protocols },
    farm: describeFarm(root, farm, farmHash),
    ownPort: harnessPort !== undefined,
    runs: { place: options.runs, databases: options.databases },
    backend: upstreamBackend(upstreams),
  });
  const metrics = agentMetrics(context);
  metrics.requests.observe(app, (db) => places.has(db));
  app.addHook('onReady', async () => upstreams.watch());
  healthRoutes(app, context);
  serveMetrics(app, metrics);
  await agentRoutes(app, context);
  const harnessAddress =
    harnessPort === undefined ? undefined : await listenForHarness(app, { port: harnessPort, host });
  await listenForDoors(app, options);
  return { app, farm, tasks: tasks.count, harnessAddress, ...(await listen(app, options)) };
}

const readyTasks = z.object({ status: z.literal('ready'), tasks: z.number().int() });

/** `/health/live`: the process answers. `/health/ready`: tasks and runs are readable too. Services are not checked. */
function healthRoutes(app: FastifyInstance, { tasks, runs }: AgentContext): void {
  liveRoute(app);
  app.get('/health/ready', readyRoute(readyTasks), async (_request, reply) => {
    await tasks.open();
    if (runs) await requireStore(runs.store);
    return reply.header('cache-control', 'no-store').send({ status: 'ready', tasks: tasks.count });
  });
}

function agentMetrics({ runs, runMetrics }: AgentContext) {
  const registry = new Registry();
  const requests = new RequestMetrics(registry, 'rookery_http');
  const kept = runs?.store.kept;
  const file = kept instanceof SqliteRuns ? kept : null;
  const inFile = 'Bytes of runs kept in the file; 0 where they are in a database';
  gauge(registry, 'rookery_runs_bytes', inFile, () => file?.bytes() ?? 0);
  const inMemory = 'Bytes of runs kept in memory only';
  gauge(registry, 'rookery_runs_memory_bytes', inMemory, () => runs?.store.memory.bytes() ?? 0);
  if (file) {
    const folder = dirname(file.file ?? '');
    gauge(registry, 'rookery_runs_disk_free_bytes', 'Bytes that are free where runs are kept', () => {
      const { bavail, bsize } = statfsSync(folder);
      return bavail * bsize;
    });
  }
  watchProcess(registry);
  const text = async (isOperator: boolean) =>
    `${await registry.metrics()}\n${await runMetrics.text(isOperator)}`;
  return { requests, contentType: registry.contentType, text };
}
