import type { Farm } from '../../../contracts/farm.ts';
import { type DomainIndex, servedIndex } from '../../../contracts/served-index.ts';
import { addressesOf, sendIndex } from '../../base/pages/index-page.ts';
import { ask, type GatewayRoutes } from '../forward/context.ts';

/** `GET /`: what the farm's services say of themselves, together; of one that is down, what farm.json says. */
export const indexPage: GatewayRoutes = (app, { farm, upstreams }) => {
  app.get('/', { config: { kind: 'page' } }, async (request, reply) => {
    const domains = await Promise.all(
      [...upstreams].map(async (upstream) => {
        const text = await ask(upstream, '/');
        const described = text === undefined ? undefined : fromService(text, upstream.db);
        return described ?? fromFarm(farm, upstream.db);
      }),
    );
    return sendIndex(request, reply, domains);
  });
};

function fromService(text: string, db: string): DomainIndex | undefined {
  return servedIndex.parse(JSON.parse(text)).domains.find((domain) => domain.db === db);
}

function fromFarm(farm: Farm, db: string): DomainIndex {
  const split = farm.split.name;
  const domain = farm.domains.find((each) => each.db === db);
  return {
    split,
    db,
    title: domain?.title ?? db,
    endpoints: domain?.endpoints ?? 0,
    start_tables: domain?.start_tables ?? 0,
    status: 'unavailable',
    ...addressesOf(split, db, (formulation) => `openapi/${db}.${formulation}.json` in farm.files),
  };
}
