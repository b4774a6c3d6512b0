import type { FastifyReply } from 'fastify';
import type { DomainIndex } from '../../../contracts/served-index.ts';
import { counted } from '../../../contracts/wording.ts';

export const LLMS_ROUTE = { kind: 'page', produces: ['text/plain'] };

/** What `/llms.txt` is answered with: the index of what is served, for a language model to read. */
export function sendLlmsText(reply: FastifyReply, domains: readonly DomainIndex[]): FastifyReply {
  const hasTasks = reply.server.hasRoute({ method: 'GET', url: '/tasks' });
  return reply
    .headers({ 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-cache' })
    .send(llmsText(domains, hasTasks));
}

/** The text, in the form of llmstxt.org: a title, a summary, and links under headings. */
export function llmsText(domains: readonly DomainIndex[], hasTasks: boolean): string {
  const endpoints = domains.reduce((sum, domain) => sum + domain.endpoints, 0);
  const lines = [
    '# rookery',
    '',
    `> ${counted(endpoints, 'read-only HTTP endpoint')} in ${counted(domains.length, 'domain')}, and general table tools over the same databases. Every answer is JSON; what goes wrong is a problem (RFC 9457).`,
    '',
    '## Domains',
    '',
    ...domains.flatMap(({ title, db, endpoints: count, openapi }) =>
      Object.entries(openapi).map(
        ([formulation, address]) =>
          `- [${escapeLink(title)}: ${formulation}](${address}): OpenAPI of ${escapeLink(db)}, ${
            formulation === 'rest' ? counted(count, 'endpoint') : 'tools that answer handles'
          }`,
      ),
    ),
    ...(hasTasks
      ? [
          '',
          '## For agents',
          '',
          '- [Tasks](/tasks): questions, each with the address of its tools',
          '- [The API of tasks, tools and runs](/openapi/rookery.json): OpenAPI; the same tools are served over MCP below /mcp',
        ]
      : []),
    '',
    '## Optional',
    '',
    '- [Index](/): the same as JSON',
    '- [Readiness](/health/ready): whether everything is up',
  ];
  return `${lines.join('\n')}\n`;
}

/** A name cannot end a link or a line. */
function escapeLink(text: string): string {
  return text.replace(/[[\]\\]/g, '\\$&').replace(/\s+/g, ' ');
}
