import type { FastifyInstance } from 'fastify';
import { type DomainIndex, servedIndex } from '../../../contracts/served-index.ts';
import { answers } from '../../base/http/typed-routes.ts';
import { addressesOf, INDEX_ROUTE, sendIndex } from '../../base/pages/index-page.ts';
import { LLMS_ROUTE, sendLlmsText } from '../../base/pages/llms-text.ts';
import type { ServedDomain } from '../runtime/served-domain.ts';
import type { PageContext } from './page-context.ts';

/** `GET /`: what is served, as a page for people and as JSON for programs; `/llms.txt`: for language models. */
export function landingPage(app: FastifyInstance, context: PageContext): void {
  const described = () => [...context.domains].map((domain) => describeDomain(context, domain));
  const schema = {
    operationId: 'get_index',
    tags: ['service'],
    summary: 'What is served: as JSON, or as a page for browsers.',
    response: answers({ 200: servedIndex }),
  };
  app.get('/', { config: INDEX_ROUTE, schema }, (request, reply) => {
    return sendIndex(request, reply, described());
  });
  app.get('/llms.txt', { config: LLMS_ROUTE }, (_request, reply) => sendLlmsText(reply, described()));
}

function describeDomain(context: PageContext, { service }: ServedDomain): DomainIndex {
  return {
    split: service.split,
    db: service.db,
    title: service.title,
    endpoints: service.endpoints.length,
    start_tables: service.start_tables.length,
    tables: service.catalog.tables.length,
    ...addressesOf(service.split, service.db, (formulation) => context.hasOpenapi(service.db, formulation)),
  };
}
