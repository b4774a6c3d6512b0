import { serveDocs } from '../../base/pages/reference-page.ts';
import type { GatewayRoutes } from '../forward/context.ts';

/**
 * `/docs/<db>…`: the API references of services that are up; `/docs`: that of tasks, lists and runs where
 * there is a process for them, else the index.
 */
export const docsRoutes: GatewayRoutes = (app, { farm, upstreams }) => {
  const hasOwnApi = upstreams.agents !== undefined;
  if (!hasOwnApi) {
    app.get('/docs', { config: { kind: 'docs' } }, (_request, reply) => reply.redirect('/', 302));
  }
  serveDocs(app, {
    titleOf: (db) =>
      upstreams.byName(db) ? farm.domains.find((domain) => domain.db === db)?.title : undefined,
    names: () => upstreams.domains,
    hasOpenapi: (db, formulation) => `openapi/${db}.${formulation}.json` in farm.files,
    hasOwnApi,
  });
};
