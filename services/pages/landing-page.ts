import type { FastifyRequest } from 'fastify';
import type { ServeContext, ServePlugin } from '../context.ts';
import type { ServedDomain } from '../served-domain.ts';
import { escapeHtml, sendPage } from './page.ts';

const FORMULATIONS = ['rest', 'slot', 'sel'] as const;

/** `GET /`: what is served, as a page for people and as JSON for programs. */
export const landingPage: ServePlugin = (app, context) => {
  app.get('/', { config: { kind: 'page' } }, (request, reply) => {
    const index = describe(context);
    reply.headers({ vary: 'accept', 'cache-control': 'no-cache' });
    return wantsHtml(request) ? sendPage(reply, 'rookery', emitPage(index)) : reply.send(index);
  });
};

type Index = ReturnType<typeof describe>;

function describe(context: ServeContext) {
  const domains = [...context.domains].map((domain) => describeDomain(context, domain));
  return {
    name: 'rookery',
    domains,
    totals: {
      domains: domains.length,
      endpoints: domains.reduce((sum, { endpoints }) => sum + endpoints, 0),
      tables: domains.reduce((sum, { tables }) => sum + tables, 0),
      start_tables: domains.reduce((sum, { start_tables }) => sum + start_tables, 0),
    },
    links: { live: '/health/live', ready: '/health/ready', metrics: '/metrics' },
  };
}

function describeDomain(context: ServeContext, { service }: ServedDomain) {
  const db = encodeURIComponent(service.db);
  const specs = FORMULATIONS.filter((formulation) => context.hasOpenapi(service.db, formulation));
  return {
    split: service.split,
    db: service.db,
    title: service.title,
    endpoints: service.endpoints.length,
    start_tables: service.start_tables.length,
    tables: service.catalog.tables.length,
    base: `/v1/${encodeURIComponent(service.split)}/${db}`,
    openapi: Object.fromEntries(
      specs.map((formulation) => [formulation, `/openapi/${db}.${formulation}.json`]),
    ),
    docs: Object.fromEntries(
      specs.map((formulation) => [
        formulation,
        `/docs/${db}${formulation === 'rest' ? '' : `/${formulation}`}`,
      ]),
    ),
  };
}

/** Programs rarely name what they accept; browsers always name HTML. */
function wantsHtml(request: FastifyRequest): boolean {
  return (request.headers.accept ?? '').includes('text/html');
}

function emitPage({ domains, totals, links }: Index): string {
  const rows = domains.map(
    (domain) => `<tr><td>${escapeHtml(domain.title)}<br><code>${escapeHtml(domain.base)}</code></td>
<td class="number">${domain.tables}</td><td class="number">${domain.endpoints}</td>
<td class="number">${domain.start_tables}</td>
<td>${emitLinks(domain.docs)}</td><td>${emitLinks(domain.openapi)}</td></tr>`,
  );
  return `<h1>rookery</h1>
<p>${totals.endpoints.toLocaleString('en')} endpoints in ${totals.domains.toLocaleString('en')} domains, each over a read-only database.
Programs that ask for this address get the same as JSON.</p>
<table>
<thead><tr><th>Domain</th><th class="number">Tables</th><th class="number">Endpoints</th><th class="number">Start tables</th>
<th>API reference</th><th>OpenAPI</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table>
<p>${emitLinks(links)}</p>`;
}

function emitLinks(links: Readonly<Record<string, string>>): string {
  return Object.entries(links)
    .map(([name, address]) => `<a href="${escapeHtml(address)}">${escapeHtml(name)}</a>`)
    .join(' · ');
}
