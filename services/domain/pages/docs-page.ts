import type { FastifyInstance } from 'fastify';
import { serveDocs } from '../../base/pages/reference-page.ts';
import type { PageContext } from './page-context.ts';

/** `/docs`, `/docs/<db>`, `/docs/<db>/slot`, `/docs/<db>/sel`: an interactive API reference that works offline. */
export function docsPage(app: FastifyInstance, { domains, hasOpenapi }: PageContext): void {
  serveDocs(app, {
    titleOf: (db) => domains.byName(db)?.service.title,
    names: () => [...domains].map(({ service }) => service.db),
    hasOpenapi,
    hasOwnApi: true,
  });
}
