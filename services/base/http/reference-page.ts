import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DEFAULT_FORMULATION, formulation as formulationSchema } from '../../../contracts/sample.ts';
import { didYouMean, nearestNames } from '../../../contracts/wording.ts';
import { escapeHtml } from './index-page.ts';
import { HttpProblem } from './problem.ts';

/** The parts of an OpenAPI document that the page shows. */
interface ApiDocument {
  readonly info?: { readonly title?: string; readonly description?: string };
  readonly tags?: readonly { readonly name: string; readonly description?: string }[];
  readonly paths?: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

interface Operation {
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: Content;
  readonly responses?: Readonly<Record<string, Content | Reference>>;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Schema;
}

interface Content {
  readonly description?: string;
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}

interface Schema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema | Reference>>;
  readonly required?: readonly string[];
  readonly items?: Schema | Reference;
  readonly anyOf?: readonly (Schema | Reference)[];
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
}

interface Reference {
  readonly $ref: string;
}

/** Searches the operations and submits their forms. The page is readable without it. */
const SCRIPT = `const search = document.getElementById('search');
const key = document.getElementById('key');
const operations = [...document.querySelectorAll('details.operation')];
const texts = operations.map((each) => each.textContent.toLowerCase());
const filter = () => {
  const words = search.value.toLowerCase().split(/\\s+/).filter(Boolean);
  operations.forEach((each, i) => { each.hidden = !words.every((word) => texts[i].includes(word)); });
  for (const section of document.querySelectorAll('section'))
    section.hidden = operations.every((each) => each.hidden || !section.contains(each));
};
search.addEventListener('input', filter);
filter();
const follow = () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target) target.open = true;
};
window.addEventListener('hashchange', follow);
follow();
document.addEventListener('submit', async (event) => {
  event.preventDefault();
  const form = event.target;
  const output = form.querySelector('output');
  const query = new URLSearchParams();
  const headers = key.value === '' ? {} : { 'x-api-key': key.value };
  let path = form.dataset.path;
  let body;
  for (const field of form.querySelectorAll('[data-in]')) {
    const given = 'list' in field.dataset ? field.value.split(/\\r?\\n/).filter(Boolean) : [field.value].filter(Boolean);
    for (const value of given) {
      if (field.dataset.in === 'path') path = path.replace('{' + field.name + '}', encodeURIComponent(value));
      else if (field.dataset.in === 'query') query.append(field.name, value);
      else if (field.dataset.in === 'header') headers[field.name] = value;
      else { body = value; headers['content-type'] = 'application/json'; }
    }
  }
  const address = path + (query.size > 0 ? '?' + query : '');
  const began = performance.now();
  try {
    const answer = await fetch(address, { method: form.dataset.method, headers, body });
    const text = await answer.text();
    const ms = Math.round(performance.now() - began);
    output.textContent = [form.dataset.method + ' ' + address, answer.status + ' in ' + ms + ' ms', '', text.slice(0, 20000)].join('\\n');
  } catch (error) {
    output.textContent = String(error);
  }
});
`;

const STYLE = `:root { color-scheme: light dark; --line: light-dark(#d5d9de, #3c434b); --quiet: light-dark(#565d66, #a5adb6); --raised: light-dark(#f5f6f8, #20252a); }
* { box-sizing: border-box; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 64rem; padding: 1rem; overflow-wrap: anywhere; }
nav, .fields { display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; }
.fields > label { flex: 1 1 16rem; }
.quiet, label > span { color: var(--quiet); font-size: .9rem; }
h2 { font-size: 1.15rem; margin: 2rem 0 .25rem; }
input, textarea { display: block; width: 100%; padding: .4rem .5rem; font: inherit; border: 1px solid var(--line); border-radius: 4px; background: none; color: inherit; }
textarea, code, pre, output { font-family: ui-monospace, monospace; font-size: .875rem; }
button { font: inherit; padding: .4rem 1rem; margin-top: .75rem; }
details.operation { border-bottom: 1px solid var(--line); padding: .4rem 0; }
summary { cursor: pointer; }
summary b { display: inline-block; min-width: 3.2rem; font-size: .8rem; }
form label { display: block; margin-top: .6rem; }
pre, output { display: block; white-space: pre-wrap; background: var(--raised); border-radius: 4px; padding: .5rem; margin: .5rem 0; max-height: 24rem; overflow: auto; }
output:empty { display: none; }
`;

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const ASSETS: Readonly<Record<string, { type: string; text: string }>> = {
  'reference.css': { type: 'text/css; charset=utf-8', text: STYLE },
  'reference.js': { type: 'text/javascript; charset=utf-8', text: SCRIPT },
};

export interface Documented {
  /** undefined for an unknown domain. */
  readonly titleOf: (db: string) => string | undefined;
  readonly names: () => readonly string[];
  readonly hasOpenapi: (db: string, formulation: string) => boolean;
  /** Whether `/openapi/rookery.json` is served, which `/docs` then shows. */
  readonly hasOwnApi: boolean;
}

/** The API references: pages rendered from the documents below `/openapi/`, which the same app serves. */
export function serveDocs(app: FastifyInstance, documented: Documented): void {
  const { titleOf, names, hasOpenapi, hasOwnApi } = documented;
  const config = { kind: 'docs', produces: ['text/html'] };

  // Three segments deep, so that it cannot clash with a domain's name.
  app.get<{ Params: { file: string } }>(
    '/docs/assets/reference/:file',
    { config: { kind: 'docs' } },
    (request, reply) => {
      const { file } = request.params;
      const asset = Object.hasOwn(ASSETS, file) ? ASSETS[file] : undefined;
      if (!asset) throw new HttpProblem('UNKNOWN_ROUTE', `There is no file ${file.slice(0, 80)}`);
      return reply
        .headers({ 'content-type': asset.type, 'cache-control': 'public, max-age=3600' })
        .send(asset.text);
    },
  );

  const send = async (request: FastifyRequest, reply: FastifyReply, title: string, spec: string) => {
    const { authorization, 'x-api-key': key } = request.headers;
    const headers = { ...(authorization && { authorization }), ...(key && { 'x-api-key': key }) };
    const answer = await app.inject({ url: spec, headers });
    if (answer.statusCode !== 200) {
      return reply.code(answer.statusCode).type(String(answer.headers['content-type'])).send(answer.body);
    }
    return reply
      .headers({
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': POLICY,
        'referrer-policy': 'no-referrer',
        'x-frame-options': 'DENY',
        'cache-control': 'no-cache',
      })
      .send(emitReference(title, spec, answer.json()));
  };

  if (hasOwnApi) {
    app.get('/docs', { config }, (request, reply) =>
      send(request, reply, 'rookery', '/openapi/rookery.json'),
    );
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
      return send(request, reply, title, `/openapi/${encodeURIComponent(db)}.${formulation}.json`);
    },
  );
}

/** The page of an OpenAPI document: its operations by tag, collapsed, each with a form to call it. */
export function emitReference(title: string, spec: string, document: ApiDocument): string {
  const operations = Object.entries(document.paths ?? {}).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const described = new Map((document.tags ?? []).map(({ name, description }) => [name, description]));
  const names = new Set([...described.keys(), ...operations.map(({ operation }) => tagOf(operation))]);
  const sections = [...names].map((name) => {
    const own = operations.filter(({ operation }) => tagOf(operation) === name);
    const rows = own.map(({ path, method, operation }) => emitOperation(path, method, operation, document));
    if (rows.length === 0) return '';
    return `<section>\n<h2>${escapeHtml(name)}</h2>\n${quiet(described.get(name))}${rows.join('')}</section>\n`;
  });
  const { info = {} } = document;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
<meta name="color-scheme" content="light dark">
<link rel="stylesheet" href="/docs/assets/reference/reference.css">
<script type="module" src="/docs/assets/reference/reference.js"></script>
</head>
<body>
<nav><a href="/">← All domains</a> <a href="${escapeHtml(spec)}">OpenAPI document</a></nav>
<main>
<h1>${escapeHtml(info.title ?? title)}</h1>
${quiet(info.description)}<div class="fields">
<label>Search names and descriptions <input id="search" type="search"></label>
<label>API key, where the operator asks for one <input id="key" type="password" autocomplete="off"></label>
</div>
${sections.join('')}</main>
</body>
</html>
`;
}

function tagOf({ tags }: Operation): string {
  return tags?.[0] ?? 'Operations';
}

function emitOperation(path: string, method: string, operation: Operation, document: ApiDocument): string {
  const { operationId, summary = '', description, parameters = [], requestBody, responses = {} } = operation;
  const fields = parameters.map((each) => emitField(resolve(each, document)));
  const schema = requestBody?.content?.['application/json']?.schema;
  if (schema) {
    const example = JSON.stringify(exampleOf(schema, document), null, 2);
    const rows = Math.min(12, example.split('\n').length + 1);
    fields.push(
      `<label>Body <span>JSON</span><textarea name="body" data-in="body" rows="${rows}">${escapeHtml(example)}</textarea></label>\n${emitSchema('Schema of the body', schema)}`,
    );
  }
  const answers = Object.entries(responses).map(([status, response]) => {
    const { description: about = '', content = {} } = resolve(response, document);
    const shape = status.startsWith('2') ? content['application/json']?.schema : undefined;
    const line = `<p class="quiet"><code>${escapeHtml(status)}</code> ${escapeHtml(about)}</p>\n`;
    return shape ? line + emitSchema(`Schema of ${status}`, shape) : line;
  });
  const verb = method.toUpperCase();
  return `<details class="operation" id="${escapeHtml(operationId)}">
<summary><b>${escapeHtml(verb)}</b> <code>${escapeHtml(path)}</code> ${escapeHtml(summary)}</summary>
${quiet(description)}<form data-method="${escapeHtml(verb)}" data-path="${escapeHtml(path)}">
${fields.join('')}<button type="submit">Send</button>
<output></output>
</form>
${answers.join('')}</details>
`;
}

function emitField({ name, in: where, required = false, description = '', schema = {} }: Parameter): string {
  const isList = schema.type === 'array';
  const type = [schema.type ?? 'any'].flat().join(' or ');
  const about = `${type}${isList ? ', one on each line' : ''}${required ? ', required' : ''}. ${description}`;
  const value = schema.default === undefined ? '' : String(schema.default);
  const shared = `name="${escapeHtml(name)}" data-in="${escapeHtml(where)}"`;
  const field = isList
    ? `<textarea ${shared} data-list rows="3"></textarea>`
    : `<input ${shared} placeholder="${escapeHtml(value)}">`;
  return `<label><code>${escapeHtml(name)}</code> <span>${escapeHtml(about)}</span>${field}</label>\n`;
}

function emitSchema(title: string, schema: Schema): string {
  const text = escapeHtml(JSON.stringify(schema, null, 1));
  return `<details><summary>${escapeHtml(title)}</summary><pre>${text}</pre></details>\n`;
}

function quiet(text: string | undefined): string {
  return text ? `<p class="quiet">${escapeHtml(text)}</p>\n` : '';
}

/** The target of a local reference. */
function resolve<Value extends object>(value: Value | Reference, document: ApiDocument): Value {
  if (!('$ref' in value)) return value;
  const found = value.$ref
    .slice(2)
    .split('/')
    .reduce<unknown>((at, part) => (at as Readonly<Record<string, unknown>>)?.[part], document);
  return (found ?? {}) as Value;
}

/** An example of a schema: its required properties with empty values. */
function exampleOf(given: Schema | Reference, document: ApiDocument, depth = 0): unknown {
  const schema = resolve(given, document);
  if (schema.default !== undefined) return schema.default;
  if (schema.enum) return schema.enum[0];
  const [alternative] = schema.anyOf ?? [];
  if (alternative && depth < 5) return exampleOf(alternative, document, depth + 1);
  switch ([schema.type].flat()[0]) {
    case 'object':
      return Object.fromEntries(
        (schema.required ?? []).map((name) => {
          const property = schema.properties?.[name];
          return [name, property && depth < 5 ? exampleOf(property, document, depth + 1) : null];
        }),
      );
    case 'array':
      return [];
    case 'integer':
    case 'number':
      return 0;
    case 'boolean':
      return false;
    case 'string':
      return '';
    default:
      return null;
  }
}
