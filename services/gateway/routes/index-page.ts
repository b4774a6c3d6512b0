import type { Farm } from '../../../contracts/farm.ts';
import { type DomainIndex, servedIndex } from '../../../contracts/served-index.ts';
import { addressesOf, INDEX_ROUTE, sendIndex } from '../../base/pages/index-page.ts';
import { LLMS_ROUTE, sendLlmsText } from '../../base/pages/llms-text.ts';
import { ask, type GatewayRoutes } from '../forward/context.ts';
import { CachedLookup } from '../forward/recent.ts';

/** However often the page is asked for, the services are asked once in this time. */
const INDEX_KEEP_MS = 1000;

/** `GET /`, `/llms.txt`: what the farm's services say of themselves, together; of one that is down, what farm.json says. */
export const indexPage: GatewayRoutes = (app, { farm, upstreams }) => {
  const index = new CachedLookup(async () => {
    const asked = upstreams.services.map(async (upstream) => {
      const text = await ask(upstream, '/');
      const described = text === undefined ? [] : fromService(text);
      return upstream.dbs.map((db) => described.find((domain) => domain.db === db) ?? fromFarm(farm, db));
    });
    return (await Promise.all(asked)).flat();
  }, INDEX_KEEP_MS);

  app.get('/', { config: INDEX_ROUTE }, async (request, reply) => {
    return sendIndex(request, reply, await index.get());
  });
  app.get('/llms.txt', { config: LLMS_ROUTE }, async (_request, reply) =>
    sendLlmsText(reply, await index.get()),
  );
};

function fromService(text: string): readonly DomainIndex[] {
  return servedIndex.parse(JSON.parse(text)).domains;
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
