import type { Upstream } from '../../base/upstream/upstream.ts';
import { ASK_LIMIT_MS, type GatewayRoutes } from '../forward/context.ts';
import { type Exposition, mergeExpositions } from '../merge/merge-expositions.ts';

/** `/metrics`: the gateway's own and those of every replica, told apart by `service` and `instance`. */
export const metricsRoutes: GatewayRoutes = (app, { upstreams, metrics }) => {
  app.get('/metrics', { config: { kind: 'metrics' } }, async (_request, reply) => {
    const own = { text: await metrics.text(), labels: { service: 'gateway' } };
    const others = await Promise.all(upstreams.all.map(expositionsOf));
    return reply
      .headers({ 'content-type': metrics.contentType, 'cache-control': 'no-store' })
      .send(mergeExpositions([own, ...others.flat()]));
  });
};

async function expositionsOf(upstream: Upstream): Promise<Exposition[]> {
  const answers = await Promise.all(
    upstream.replicas.map(async (replica) => {
      const answer = await replica.get('/metrics', ASK_LIMIT_MS, 'text/plain').catch(() => undefined);
      const labels = { service: upstream.identity.name, instance: new URL(replica.origin).host };
      return answer?.status === 200 ? [{ text: answer.text, labels }] : [];
    }),
  );
  return answers.flat();
}
