import type { GatewayRoutes } from '../context.ts';
import { forward } from '../forward.ts';

/** Everything of one domain, sent on to its service: `/v1/<split>/<db>/…`. */
export const domainRoutes: GatewayRoutes = (app, { upstreams, metrics }) => {
  app.all<{ Params: { split: string; db: string } }>(
    '/v1/:split/:db/*',
    { config: { kind: 'domain' } },
    async (request, reply) => {
      const { split, db } = request.params;
      await forward(upstreams.get(split, db), request, reply, metrics);
      return reply;
    },
  );
};
