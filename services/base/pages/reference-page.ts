import { readFileSync } from 'node:fs';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { DEFAULT_FORMULATION, formulation as formulationSchema } from '../../../contracts/sample.ts';
import { didYouMean, nearestNames } from '../../../contracts/wording.ts';
import { HttpProblem } from '../http/problem.ts';
import { escapeHtml } from './page.ts';
import { type REFERENCE_FILES, referenceFile } from './reference-files.ts';

/** What is served of Swagger UI, and our few lines that start it; nothing comes from another host. */
const START_SCRIPT = `const dark = window.matchMedia('(prefers-color-scheme: dark)');
const followSystem = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', followSystem);
followSystem();

// Swagger UI's own filter looks at tags alone.
const says = (operation, words) => {
  const told = ['path', 'method'].map((name) => operation.get(name));
  const about = ['summary', 'description', 'operationId'].map((name) => operation.getIn(['operation', name]));
  const text = [...told, ...about].join(' ').toLowerCase();
  return words.every((word) => text.includes(word));
};
const searchesEverything = () => ({
  fn: {
    opsFilter: (tags, phrase) => {
      const words = phrase.toLowerCase().split(/\\s+/).filter(Boolean);
      return tags
        .map((tag, name) =>
          words.every((word) => name.toLowerCase().includes(word))
            ? tag
            : tag.update('operations', (operations) => operations.filter((each) => says(each, words))),
        )
        .filter((tag) => tag.get('operations').size > 0);
    },
  },
});

window.addEventListener('DOMContentLoaded', () => {
  SwaggerUIBundle({
    url: document.body.dataset.spec,
    domNode: document.getElementById('reference'),
    deepLinking: true,
    docExpansion: 'list',
    filter: true,
    plugins: [searchesEverything],
    tryItOutEnabled: true,
    validatorUrl: null,
    onComplete: () => {
      const filter = document.querySelector('.operation-filter-input');
      if (filter) filter.placeholder = 'Search names and descriptions';
    },
  });
});
`;

/** What Swagger UI leaves open: narrow screens, where its rows do not wrap. */
const STYLE = `body { margin: 0; }
html.dark-mode body { background: #1c2022; }
nav { padding: 12px 20px 0; font: 16px sans-serif; }
html.dark-mode nav a { color: #9cc2ff; }
@media (max-width: 640px) {
  .swagger-ui .wrapper { padding: 0 8px; }
  .swagger-ui .info { margin: 16px 0; }
  .swagger-ui .opblock .opblock-summary { flex-wrap: wrap; }
  .swagger-ui .opblock .opblock-summary-path { max-width: 100%; word-break: break-word; }
  .swagger-ui .opblock .opblock-summary-description { flex-basis: 100%; padding: 0 0 4px; }
  .swagger-ui table.parameters, .swagger-ui table.parameters tbody, .swagger-ui table.parameters tr,
  .swagger-ui table.parameters td { display: block; width: auto; }
  .swagger-ui table.parameters thead { display: none; }
  .swagger-ui .parameters-col_description input, .swagger-ui .parameters-col_description select { max-width: 100%; }
  .swagger-ui .scheme-container .schemes { overflow-x: clip; }
  .swagger-ui .operation-filter-input { width: 100%; box-sizing: border-box; }
  /* No response has links, and the column is what makes the page wider than the screen. */
  .swagger-ui .response-col_links { display: none; }
  .swagger-ui .responses-table td, .swagger-ui .responses-table th { padding-right: 8px; }
  .swagger-ui .opblock-body pre.microlight, .swagger-ui .curl-command pre { overflow-x: auto; }
  /* The buttons lie over the last lines otherwise. */
  .swagger-ui .live-responses-table .highlight-code pre { padding-bottom: 52px !important; }
}
`;

// Swagger UI sets style attributes; scripts are ours and its own file only.
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const ASSETS: Readonly<Record<string, { type: string; read: () => string }>> = {
  'swagger-ui.css': { type: 'text/css; charset=utf-8', read: () => swaggerFile('swagger-ui.css') },
  'swagger-ui-bundle.js': {
    type: 'text/javascript; charset=utf-8',
    read: () => swaggerFile('swagger-ui-bundle.js'),
  },
  'narrow.css': { type: 'text/css; charset=utf-8', read: () => STYLE },
  'start.js': { type: 'text/javascript; charset=utf-8', read: () => START_SCRIPT },
};

/** The domains that have an API reference. */
export interface Documented {
  /** undefined when there is no such domain. */
  readonly titleOf: (db: string) => string | undefined;
  readonly names: () => readonly string[];
  readonly hasOpenapi: (db: string, formulation: string) => boolean;
  /** Whether `/openapi/rookery.json` is served, which `/docs` then shows. */
  readonly hasOwnApi: boolean;
}

/** The routes of the API references; they read the specifications from `/openapi/`. */
export function serveDocs(app: FastifyInstance, documented: Documented): void {
  const { titleOf, names, hasOpenapi, hasOwnApi } = documented;
  const config = { kind: 'docs' };
  const files = new Map<string, string>();

  // Two segments deep, so that no domain's name is taken.
  app.get<{ Params: { file: string } }>('/docs/assets/swagger/:file', { config }, (request, reply) => {
    const { file } = request.params;
    const asset = ASSETS[file];
    if (!asset) throw new HttpProblem('UNKNOWN_ROUTE', `There is no file ${file}`);
    const text = files.get(file) ?? asset.read();
    files.set(file, text);
    return reply.headers({ 'content-type': asset.type, 'cache-control': 'public, max-age=3600' }).send(text);
  });

  const send = (reply: FastifyReply, title: string, spec: string) =>
    reply
      .headers({
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': POLICY,
        'referrer-policy': 'no-referrer',
        'x-frame-options': 'DENY',
        'cache-control': 'no-cache',
      })
      .send(emitPage(title, spec));

  if (hasOwnApi) {
    app.get('/docs', { config }, (_request, reply) => send(reply, 'rookery', '/openapi/rookery.json'));
  }

  app.get<{ Params: { db: string; formulation?: string } }>(
    '/docs/:db/:formulation?',
    { config },
    (request, reply) => {
      const { db, formulation = DEFAULT_FORMULATION } = request.params;
      const title = titleOf(db);
      const known = title !== undefined && formulationSchema.safeParse(formulation).success;
      if (!known || !hasOpenapi(db, formulation)) {
        const hint = title === undefined ? didYouMean(nearestNames(db, names())) : '';
        const detail = `There is no API reference for ${db} ${formulation}${hint}`;
        throw new HttpProblem('UNKNOWN_DOMAIN', detail);
      }
      return send(reply, title, `/openapi/${encodeURIComponent(db)}.${formulation}.json`);
    },
  );
}

function emitPage(title: string, spec: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
<meta name="color-scheme" content="light dark">
<link rel="stylesheet" href="/docs/assets/swagger/swagger-ui.css">
<link rel="stylesheet" href="/docs/assets/swagger/narrow.css">
<script src="/docs/assets/swagger/swagger-ui-bundle.js"></script>
<script src="/docs/assets/swagger/start.js"></script>
</head>
<body data-spec="${escapeHtml(spec)}">
<nav><a href="/">← All domains</a></nav>
<div id="reference"></div>
<noscript>This page needs JavaScript; the description itself is at <a href="${escapeHtml(spec)}">${escapeHtml(spec)}</a>.</noscript>
</body>
</html>
`;
}

function swaggerFile(name: (typeof REFERENCE_FILES)[number]): string {
  return readFileSync(referenceFile(name), 'utf8');
}
