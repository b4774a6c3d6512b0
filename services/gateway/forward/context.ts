import type { FastifyInstance } from 'fastify';
import type { Farm } from '../../../contracts/farm.ts';
import type { Upstream } from '../../base/upstream/upstream.ts';
import type { Upstreams } from '../../base/upstream/upstreams.ts';
import type { GatewayMetrics } from './metrics.ts';
import type { ResponseCache } from './response-cache.ts';

/** All that a route of the gateway may need. */
export interface GatewayContext {
  readonly farm: Farm;
  /** One a domain that is routed to, and perhaps that of the process for agents. */
  readonly upstreams: Upstreams;
  /** Agents reach their runs only. */
  readonly exam: boolean;
  /** Opens metrics, here and in the process for agents. */
  readonly metricsKey: string | undefined;
  readonly metrics: GatewayMetrics;
  readonly cache: ResponseCache;
}

/** Some routes of the gateway. */
export type GatewayRoutes = (app: FastifyInstance, context: GatewayContext) => void;

/** How long the gateway's own questions to a service may take. */
export const ASK_LIMIT_MS = 2000;

/** What a domain's service answers to a GET with 200, from whichever replica answers first; else undefined. */
export async function ask(upstream: Upstream, path: string): Promise<string | undefined> {
  if (upstream.replicas.length === 0) await upstream.refresh();
  const replicas = [...upstream.replicas].sort((a, b) => Number(b.usable) - Number(a.usable));
  for (const replica of replicas) {
    const answer = await replica.get(path, ASK_LIMIT_MS).catch(() => undefined);
    if (answer?.status === 200) return answer.text;
  }
  return undefined;
}
