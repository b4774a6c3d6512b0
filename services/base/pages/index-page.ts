import type { FastifyReply, FastifyRequest } from 'fastify';
import { domainPath } from '../../../contracts/domain-path.ts';
import { openapiFile } from '../../../contracts/openapi-file.ts';
import { DEFAULT_FORMULATION, formulation } from '../../../contracts/sample.ts';
import type { DomainIndex, ServedIndex } from '../../../contracts/served-index.ts';
import { mediaTypeFor } from '../http/negotiate.ts';
import { hasConsole } from './console-files.ts';
import { escapeHtml, sendConsolePage, sendPage } from './page.ts';

/** Programs rarely name what they accept, and get the first; browsers always name HTML. */
const TYPES = ['application/json', 'text/html'];
export const INDEX_ROUTE = { kind: 'page', produces: TYPES };

/** Answers with the index: for browsers a page, the console where it is served; for programs JSON. */
export function sendIndex(
  request: FastifyRequest,
  reply: FastifyReply,
  domains: readonly DomainIndex[],
): FastifyReply {
  // Tasks and runs are served by some processes and not by others.
  const hasTasks = request.server.hasRoute({ method: 'GET', url: '/tasks' });
  const index = makeIndex(domains, hasTasks);
  reply.headers({ vary: 'accept', 'cache-control': 'no-cache' });
  const { accept = '*/*' } = request.headers;
  if (mediaTypeFor(accept, TYPES) !== 'text/html') return reply.send(index);
  const send = hasConsole(request.server) ? sendConsolePage : sendPage;
  return send(reply, 'rookery', emitPage(index));
}

function makeIndex(domains: readonly DomainIndex[], hasTasks: boolean): ServedIndex {
  return {
    name: 'rookery',
    domains: [...domains],
    totals: {
      domains: domains.length,
      endpoints: domains.reduce((sum, { endpoints }) => sum + endpoints, 0),
      tables: domains.reduce((sum, { tables }) => sum + (tables ?? 0), 0),
      start_tables: domains.reduce((sum, { start_tables }) => sum + start_tables, 0),
    },
    links: {
      ...(hasTasks ? { tasks: '/tasks' } : {}),
      live: '/health/live',
      ready: '/health/ready',
      metrics: '/metrics',
    },
  };
}

/** Where a domain's endpoints, specifications and API references are. */
export function addressesOf(
  split: string,
  name: string,
  hasOpenapi: (formulation: string) => boolean,
): Pick<DomainIndex, 'base' | 'openapi' | 'docs'> {
  const db = encodeURIComponent(name);
  const specs = formulation.options.filter(hasOpenapi);
  return {
    base: domainPath(split, name),
    openapi: Object.fromEntries(specs.map((kind) => [kind, `/openapi/${openapiFile(db, kind)}`])),
    docs: Object.fromEntries(
      specs.map((kind) => [kind, `/docs/${db}${kind === DEFAULT_FORMULATION ? '' : `/${kind}`}`]),
    ),
  };
}

function emitPage({ domains, totals, links }: ServedIndex): string {
  const rows = domains.map(
    (
      domain,
    ) => `<tr><td>${escapeHtml(domain.title)}${domain.status ? ` (${domain.status})` : ''}<br><code>${escapeHtml(domain.base)}</code></td>
<td class="number">${domain.tables ?? '–'}</td><td class="number">${domain.endpoints}</td>
<td class="number">${domain.start_tables}</td>
<td>${emitLinks(domain.docs)}</td><td>${emitLinks(domain.openapi)}</td></tr>`,
  );
  return `<h1>rookery</h1>
<p>${totals.endpoints.toLocaleString('en')} endpoints in ${totals.domains.toLocaleString('en')} domains, each over a read-only database.
Programs that ask for this address get the same as JSON.</p>
${links.tasks ? '<p>Agents find <a href="/tasks">tasks</a> here, tools by MCP and function calling, and <code>/runs</code> that record what they do.</p>\n' : ''}<table>
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
