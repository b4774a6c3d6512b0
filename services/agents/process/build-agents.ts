import type { FastifyInstance, FastifyServerOptions } from 'fastify';
import type { ServedFarm } from '../../../contracts/served-farm.ts';
import type { Service } from '../../../contracts/service.ts';
import { setMetricsKey } from '../../base/access/metrics-key.ts';
import { serveMetrics } from '../../base/access/serve-metrics.ts';
import { serveApiDocument } from '../../base/http/api-document.ts';
import { createApp } from '../../base/http/create-app.ts';
import { DEFAULT_LIMITS } from '../../base/limits.ts';
import { upstreamsOf } from '../../base/upstream/known-upstreams.ts';
import { DEFAULT_REPLICA_LIMITS } from '../../base/upstream/replica.ts';
import { Upstreams } from '../../base/upstream/upstreams.ts';
import type { TelemetryOptions } from '../../base/watch/watch.ts';
import { agentRoutes } from '../app/agent-routes.ts';
import { agentContext } from '../app/make-agent-context.ts';
import { upstreamBackend } from '../backend/upstream-backend.ts';
import type { TaskSource } from '../tasks/task-source.ts';
import { healthRoutes } from './health.ts';
import { AgentMetrics } from './metrics.ts';

export interface AgentsOptions {
  readonly split: string;
  /** Where each domain's service is, which of them are here. */
  readonly places: ReadonlyMap<string, readonly URL[]>;
  readonly services: readonly Service[];
  readonly tasks: TaskSource;
  /** sha256 of farm.json. */
  readonly farmHash: string;
  /** What the farm says of itself. */
  readonly farm: () => Promise<ServedFarm>;
  /** The SQLite file or the database that runs are kept in. */
  readonly runs: string;
  /** Opens the harness's plane; without it nothing does. */
  readonly harnessKey?: string;
  /** Opens `/metrics` and nothing else. */
  readonly metricsKey?: string | undefined;
  /** Agents reach their runs only. */
  readonly exam?: boolean;
  /** Whether the harness has a port of its own. */
  readonly ownPort?: boolean;
  readonly logger?: FastifyServerOptions['logger'];
  readonly watch?: TelemetryOptions;
}

/**
 * Everything for agents as a fastify app that does not listen, without any database of the farm: calls are sent to
 * the services of the domains. It holds no gold, so it does not score. Throws OPTION_INVALID when runs cannot be kept.
 */
export async function buildAgents(options: AgentsOptions): Promise<FastifyInstance> {
  const {
    split,
    places,
    services,
    tasks,
    farmHash,
    farm,
    runs,
    harnessKey,
    exam = false,
    ownPort = false,
  } = options;
  const app = await createApp(DEFAULT_LIMITS, options.logger, options.watch);
  setMetricsKey(app, options.metricsKey);
  serveApiDocument(app);
  const upstreams = new Upstreams(split, upstreamsOf(places, DEFAULT_REPLICA_LIMITS));
  const backend = upstreamBackend(upstreams);
  const context = await agentContext(app, services, {
    tasks,
    farmHash,
    farm,
    runs: { place: runs },
    backend,
    exam,
    ownPort,
    ...(harnessKey === undefined ? {} : { harnessKey }),
  });
  const metrics = new AgentMetrics(upstreams, context);

  app.addHook('onResponse', (request, reply, done) => {
    metrics.observe(request, reply);
    done();
  });
  app.addHook('onReady', async () => upstreams.watch());
  healthRoutes(app, context);
  serveMetrics(app, metrics);
  await agentRoutes(app, context);
  return app;
}
