import { serveMetrics } from '../../base/access/serve-metrics.ts';
import { HttpProblem } from '../../base/http/problem.ts';
import type { Upstream } from '../../base/upstream/upstream.ts';
import { askReplicas } from '../forward/ask-replicas.ts';
import type { GatewayRoutes } from '../forward/context.ts';
import { CachedLookup } from '../forward/recent.ts';
import { type Exposition, mergeExpositions } from '../merge/merge-expositions.ts';

/** However often metrics are asked for, they are collected once in this time. */
const KEEP_MS = 5000;
/** The text is long: sending it more often than this would take time from other requests. */
const MAX_A_SECOND = 10;

/**
 * `/metrics`: the gateway's own and those of every replica, told apart by `service` and `instance`; of each,
 * `rookery_gateway_scrape_success` tells whether its own are among them.
 */
export const metricsRoutes: GatewayRoutes = (app, { upstreams, exam, metrics, metricsKey }) => {
  const { services, agents, agentsHarness } = upstreams;
  // In an exam the process for agents tells its own at the port of the harness only.
  const ofAgents = (exam ? agentsHarness : undefined) ?? agents;
  const asked = [...services, ...(ofAgents ? [ofAgents] : [])];
  const collected = new CachedLookup(async () => {
    const own = { text: await metrics.text(), labels: { service: 'gateway' } };
    return Buffer.from(await mergeExpositions([own, ...(await expositionsOf(asked, metricsKey))]));
  }, KEEP_MS);
  let sent = 0;
  let second = 0;

  const text = () => {
    const now = Math.floor(performance.now() / 1000);
    if (now !== second) [second, sent] = [now, 0];
    if (++sent > MAX_A_SECOND) {
      throw new HttpProblem('RATE_LIMITED', `Metrics are sent at most ${MAX_A_SECOND} times a second.`, {
        headers: { 'retry-after': '1' },
      });
    }
    return collected.get();
  };
  serveMetrics(app, { contentType: metrics.contentType, text });
};

/** `key`: opens those of a process that was given the same. */
async function expositionsOf(upstreams: readonly Upstream[], key: string | undefined): Promise<Exposition[]> {
  const said = await askReplicas(upstreams, '/metrics', {
    accept: 'text/plain',
    ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
  });
  return said.flatMap(({ upstream, replica, text }) => {
    const labels = { service: upstream.identity.name, instance: new URL(replica.origin).host };
    const mark = { text: scrapeSuccess(text !== undefined), labels };
    return text === undefined ? [mark] : [mark, { text, labels }];
  });
}

function scrapeSuccess(success: boolean): string {
  const name = 'rookery_gateway_scrape_success';
  return [
    `# HELP ${name} Whether the metrics of a replica could be collected in time`,
    `# TYPE ${name} gauge`,
    `${name} ${Number(success)}`,
  ].join('\n');
}
