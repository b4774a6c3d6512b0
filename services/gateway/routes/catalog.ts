import { didYouMean, nearestNames } from '../../../contracts/wording.ts';
import { HttpProblem } from '../../base/http/problem.ts';
import type { GatewayRoutes } from '../forward/context.ts';
import { forward } from '../forward/forward.ts';

/** `/catalog/<db>`: what a domain holds, from its service. */
export const catalogRoutes: GatewayRoutes = (app, { upstreams, metrics }) => {
  app.get<{ Params: { db: string } }>(
    '/catalog/:db',
    { config: { kind: 'catalog' } },
    async (request, reply) => {
      const { db } = request.params;
      const upstream = upstreams.byName(db);
      if (!upstream) {
        const hint = didYouMean(nearestNames(db, upstreams.domains));
        throw new HttpProblem('UNKNOWN_DOMAIN', `There is no domain ${db.slice(0, 80)}${hint}`);
      }
      await forward(upstream, request, reply, { metrics, repeatable: true });
      return reply;
    },
  );
};
