import type { FastifyInstance } from 'fastify';
import type { Service } from '../../../contracts/service.ts';
import { DEFAULT_LIMITS } from '../../../services/base/limits.ts';
import { SlowQueries, type SlowQueriesOptions } from '../../../services/domain/runtime/slow-queries.ts';
import { buildApp } from '../../../services/index.ts';
import { PATIENCE } from '../../oracle/oracle.ts';
import type { DatabaseVariant } from '../../variants/make-variants.ts';
import type { InjectableApp } from './play-calls.ts';
import { rememberingApp } from './remembering-app.ts';

/** Apps that serve the same domain over each of its variants, called in process. */
export interface VariantApps {
  /** Remembers what it has answered. */
  app(variant: DatabaseVariant): InjectableApp;
  close(): Promise<void>;
}

/** How much longer calls may take on a neighbour: nobody waits for them. */
const ON_NEIGHBOURS = 6;
const CACHE_BYTES = 8 * 1024 * 1024;
/** Of whole answers; one that is larger is asked for again. */
const MEMORY_BYTES = 32 * 1024 * 1024;

/**
 * Builds the apps. Calls have the limits of a running service, so that no sample is kept that a service would truncate
 * or stop; `timeoutMs` can only tighten them. Their endpoints run in child processes that can be stopped, whatever
 * their speed in `service`.
 */
export async function buildVariantApps(
  service: Service,
  variants: readonly DatabaseVariant[],
  {
    timeoutMs,
    children,
    onCost,
  }: { readonly timeoutMs: number; readonly children: number } & Pick<SlowQueriesOptions, 'onCost'>,
): Promise<VariantApps> {
  const stoppable: Service = {
    ...service,
    endpoints: service.endpoints.map((endpoint) => ({ ...endpoint, speed: 'slow' })),
  };
  const apps = new Map<string, { readonly served: FastifyInstance; readonly remembering: InjectableApp }>();
  // Nothing is stopped by the clock: a busy machine must not decide a verdict.
  const limits = {
    timeoutMs: Math.min(timeoutMs, DEFAULT_LIMITS.timeoutMs),
    planMs: Number.POSITIVE_INFINITY,
  };
  const patient = { ...limits, timeoutMs: limits.timeoutMs * ON_NEIGHBOURS };
  const pool = { size: children, maxQueue: 10_000, patience: PATIENCE };
  // One set of children for all variants: starting a process costs more than most domains' queries.
  const slowQueries = new SlowQueries({
    ...pool,
    timeoutMs: limits.timeoutMs,
    ...(onCost ? { onCost } : {}),
  });
  for (const variant of variants) {
    const served = await buildApp({
      domains: [{ service: stoppable, database: variant.served }],
      limits: variant.isNeighbour ? patient : limits,
      slowQueries,
      pool,
      // SLOT and SEL request the same results under the same handles.
      cache: { bytes: CACHE_BYTES },
      // A remembered answer names a handle, which must be known still.
      handles: { bytes: Number.POSITIVE_INFINITY },
      logger: false,
    });
    apps.set(variant.label, { served, remembering: rememberingApp(served, MEMORY_BYTES) });
  }
  return {
    app(variant) {
      const app = apps.get(variant.label);
      if (!app) throw new Error(`no app for ${variant.label}`);
      return app.remembering;
    },
    async close() {
      await Promise.all([...apps.values()].map(({ served }) => served.close()));
      await slowQueries.close();
    },
  };
}
