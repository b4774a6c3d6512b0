import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { DomainIndex, Growth, ServedIndex } from '../../../contracts/api.ts';
import { openapiFile } from '../../../contracts/openapi.ts';
import { packageRoot, packageVersion } from '../../../contracts/package-root.ts';
import { domainPath } from '../../../contracts/paths.ts';
import { DEFAULT_FORMULATION, formulation } from '../../../contracts/sample.ts';
import { counted } from '../../../contracts/wording.ts';
import { mediaTypeFor } from './create-app.ts';
import { etagOf, sendTagged } from './json.ts';
import { HttpProblem } from './problem.ts';

/** Clients without an Accept header get the first type; browsers ask for HTML. */
const TYPES = ['application/json', 'text/html'];
export const INDEX_ROUTE = { kind: 'page', produces: TYPES };

/** Sends the index: to browsers the console if it is served, else a plain page; to programs JSON. */
export function sendIndex(
  request: FastifyRequest,
  reply: FastifyReply,
  domains: readonly DomainIndex[],
  growth?: Growth,
): FastifyReply {
  // Only some processes serve tasks and runs.
  const hasTasks = request.server.hasRoute({ method: 'GET', url: '/tasks' });
  const index = { ...makeIndex(domains, hasTasks), growth };
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

export function addressesOf(split: string, name: string, hasOpenapi: (formulation: string) => boolean) {
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

function emitPage({ domains, totals, growth, links }: ServedIndex): string {
  const rows = domains.map(
    (
      domain,
    ) => `<tr><td>${escapeHtml(domain.title)}${domain.status ? ` (${domain.status})` : ''}<br><code>${escapeHtml(domain.base)}</code></td>
<td class="number">${domain.tables ?? '–'}</td><td class="number">${domain.endpoints}</td>
<td class="number">${domain.start_tables}</td>
<td>${emitLinks(domain.openapi)}</td></tr>`,
  );
  return `<h1>rookery</h1>
<p>${totals.endpoints.toLocaleString('en')} endpoints in ${totals.domains.toLocaleString('en')} domains, each over a read-only database.
Programs that ask for this address get the same as JSON.</p>
${growth ? `<p>${counted(growth.coming.length, 'domain')} to come: the farm is being generated (${growth.done} of ${growth.total} proofs).</p>\n` : ''}${links.tasks ? '<p>Agents find <a href="/tasks">tasks</a> here, tools by MCP and function calling, and <code>/runs</code> that record what they do.</p>\n' : ''}<table>
<thead><tr><th>Domain</th><th class="number">Tables</th><th class="number">Endpoints</th><th class="number">Start tables</th>
<th>OpenAPI</th></tr></thead>
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

export const LLMS_ROUTE = { kind: 'page', produces: ['text/plain'] };

export function sendLlmsText(reply: FastifyReply, domains: readonly DomainIndex[]): FastifyReply {
  const hasTasks = reply.server.hasRoute({ method: 'GET', url: '/tasks' });
  return reply
    .headers({ 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-cache' })
    .send(llmsText(domains, hasTasks));
}

/** The text in the format of llmstxt.org: title, summary, and links under headings. */
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

/** Escapes a name so that it cannot end a link or a line. */
function escapeLink(text: string): string {
  return text.replace(/[[\]\\]/g, '\\$&').replace(/\s+/g, ' ');
}

const STYLE = `
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: .35rem .75rem; border-bottom: 1px solid #8884; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
code { font-size: .9em; }
`;
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

const NOTHING_ELSE = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
};

/** Escapes text for HTML content and quoted attributes. */
export function escapeHtml(text: string): string {
  const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
  return text.replace(/[&<>"']/g, (character) => entities[character as keyof typeof entities]);
}

/** Sends a plain page without scripts or external resources. `body` is HTML already. */
export function sendPage(reply: FastifyReply, title: string, body: string): FastifyReply {
  const policy = `default-src 'none'; img-src data:; style-src 'sha256-${STYLE_HASH}'; ${NOTHING_ELSE}`;
  return reply
    .headers({ ...PAGE_HEADERS, 'content-security-policy': policy })
    .send(emitDocument(title, `<style>${STYLE}</style>`, body));
}

/**
 * Sends the console page, with script and style served by this server. `fallback` shows without JavaScript. `edits`:
 * what this server is for, if it serves no farm.
 */
export function sendConsolePage(
  reply: FastifyReply,
  title: string,
  fallback: string,
  { edits }: { readonly edits?: 'words' } = {},
): FastifyReply {
  const policy = `default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; ${NOTHING_ELSE}`;
  const head =
    '<meta name="color-scheme" content="light dark">\n<link rel="stylesheet" href="/console/console.css">\n' +
    '<script type="module" src="/console/console.js"></script>';
  const mode = edits === undefined ? '' : ` data-edits="${edits}"`;
  const body = `<div id="console"${mode}></div>\n<noscript>\n${fallback}\n</noscript>`;
  return reply
    .headers({ ...PAGE_HEADERS, 'content-security-policy': policy })
    .send(emitDocument(title, head, body, '/console/mark.svg'));
}

/**
 * The HTML page of a static site: the console, reading its data from `data/`, and what a farm answered from the folder
 * `answers` if there is one. The CSP is inline, so any static host works.
 */
export function emitSitePage(title: string, answers?: string): string {
  const policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'";
  const head =
    `<meta http-equiv="Content-Security-Policy" content="${policy}">\n` +
    '<meta name="color-scheme" content="light dark">\n<link rel="stylesheet" href="console/console.css">\n' +
    '<script type="module" src="console/console.js"></script>';
  const recorded = answers === undefined ? '' : ` data-answers="${escapeHtml(answers)}"`;
  const body = `<div id="console" data-files="data"${recorded}></div>\n<noscript>This page needs JavaScript.</noscript>`;
  return emitDocument(title, head, body, 'console/mark.svg');
}

function emitDocument(title: string, head: string, body: string, icon = 'data:,'): string {
  return (
    `<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n` +
    `<meta name="viewport" content="width=device-width, initial-scale=1">\n` +
    `<meta name="description" content="Live APIs for testing LLM tool calling, proven equal to gold SQL">\n` +
    `<title>${escapeHtml(title)}</title>\n<link rel="icon" href="${icon}">\n${head}\n</head>\n<body>\n${body}\n</body>\n</html>\n`
  );
}

export interface SinglePageParts {
  readonly script: string;
  readonly style: string;
  /** JSON texts by the paths that the script requests. */
  readonly files: readonly (readonly [path: string, json: string])[];
}

/** The console and its data as one file, which needs no server and opens from disk. */
export function emitSinglePage(title: string, { script, style, files }: SinglePageParts): string {
  // A script must not contain anything that looks like its end tag. JavaScript reads the escaped form as the same
  // text.
  const code = script.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');
  const policy = `default-src 'none'; script-src '${hashOf(code)}'; style-src '${hashOf(style)}'; img-src data:; base-uri 'none'; form-action 'none'`;
  const entries = files.map(([path, json]) => `${JSON.stringify(path)}:${json}`);
  const data = `{${entries.join(',')}}`.replaceAll('<', '\\u003c');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<div id="console" data-files=""></div>
<noscript>This page needs JavaScript.</noscript>
<script type="application/json" id="files">${data}</script>
<script type="module">${code}</script>
</body>
</html>
`;
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

const CONSOLE_TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

const ROUTE = '/console/:file';

/**
 * The folder of the built console; undefined if it is not built, as when running from source. `ROOKERY_CONSOLE`
 * overrides it.
 */
export function builtConsole(): string | undefined {
  const { ROOKERY_CONSOLE } = process.env;
  const folders = [...(ROOKERY_CONSOLE ? [ROOKERY_CONSOLE] : []), join(packageRoot, 'dist', 'console')];
  // In a bundle, the console is next to it.
  for (let at = import.meta.dirname; dirname(at) !== at; at = dirname(at)) folders.push(join(at, 'console'));
  return folders.find((folder) => existsSync(join(folder, 'console.js')));
}

/** `/console/…`: the console's files, which the index page loads. */
export function serveConsole(app: FastifyInstance, folder: string): void {
  const names = new Set(readdirSync(folder));
  const files = new Map<string, { readonly text: string; readonly etag: string }>();
  app.get<{ Params: { file: string } }>(ROUTE, { config: { kind: 'page' } }, (request, reply) => {
    const { file } = request.params;
    const type = names.has(file) ? CONSOLE_TYPES[extname(file)] : undefined;
    if (type === undefined) throw new HttpProblem('UNKNOWN_ROUTE', `There is no file ${file.slice(0, 80)}`);
    const text = files.get(file)?.text ?? readFileSync(join(folder, file), 'utf8');
    const etag = files.get(file)?.etag ?? etagOf(packageVersion, text);
    files.set(file, { text, etag });
    return sendTagged(request, reply, etag, () => text, type);
  });
}

export function hasConsole(app: FastifyInstance): boolean {
  return app.hasRoute({ method: 'GET', url: ROUTE });
}
