import { createHash } from 'node:crypto';
import pMap from 'p-map';
import { openapiFile, readOpenapiFile } from '../../contracts/openapi.ts';
import type { Formulation } from '../../contracts/sample.ts';
import { counted } from '../../contracts/wording.ts';
import { getOrInsert } from '../base/concurrency.ts';
import { unknownFile } from '../base/http/api-document.ts';
import { HttpProblem } from '../base/http/problem.ts';
import { AT_ONCE, ask, forward, type GatewayContext, type GatewayRoutes } from './forward.ts';

/** `/openapi/<db>.<formulation>.json`, from the domain's service, and `/openapi/<formulation>.json`, of all domains. */
export const openapiRoutes: GatewayRoutes = (app, context) => {
  const { upstreams, metrics } = context;
  const merged = new Map<string, Promise<Merged>>();

  // The agents' process describes everything besides the domains.
  const { agents } = upstreams;
  if (agents) {
    app.get('/openapi/rookery.json', { config: { kind: 'openapi' } }, (request, reply) =>
      forward(agents, request, reply, { metrics, repeatable: true }),
    );
  }

  app.get<{ Params: { file: string } }>(
    '/openapi/:file',
    { config: { kind: 'openapi' } },
    async (request, reply) => {
      const { file } = request.params;
      const asked = readOpenapiFile(file);
      if (asked?.db === null) {
        const all = asked.formulation;
        const document = getOrInsert(merged, all, () => merge(context, all));
        // Only complete documents are cached.
        document.catch(() => merged.delete(all));
        const { text, etag } = await document;
        reply.headers({ etag, 'cache-control': 'no-cache' });
        if (request.headers['if-none-match'] === etag) return reply.code(304).send();
        return reply.header('content-type', 'application/json; charset=utf-8').send(text);
      }
      const upstream = asked && upstreams.byName(asked.db ?? '');
      if (!upstream) throw unknownFile(file, upstreams.domains);
      return forward(upstream, request, reply, { metrics, repeatable: true });
    },
  );
};

/** Limit for one domain's document. Generous: on a busy machine a service takes seconds to read a large one. */
const DOCUMENT_LIMIT_MS = 30_000;

interface Merged {
  readonly text: string;
  readonly etag: string;
}

async function merge({ farm, upstreams }: GatewayContext, formulation: Formulation): Promise<Merged> {
  const wanted = upstreams.domains.filter((db) => `openapi/${openapiFile(db, formulation)}` in farm.files);
  const answers = await pMap(
    wanted,
    async (db) => {
      const upstream = upstreams.byName(db);
      const path = `/openapi/${openapiFile(encodeURIComponent(db), formulation)}`;
      return { db, text: upstream && (await ask(upstream, path, DOCUMENT_LIMIT_MS)) };
    },
    { concurrency: AT_ONCE },
  );
  const missing = answers.flatMap(({ db, text }) => (text === undefined ? [db] : []));
  if (missing.length > 0) {
    throw new HttpProblem('DOMAIN_UNAVAILABLE', `No answer from the services of ${missing.join(', ')}.`, {
      errors: missing.map((field) => ({
        field,
        code: 'unavailable',
        message: `the service of ${field} is down`,
      })),
      headers: { 'retry-after': '1' },
    });
  }
  if (answers.length === 0)
    throw new HttpProblem('UNKNOWN_ROUTE', `This farm has no ${formulation} interface`);
  const specs = answers.map(({ db, text }) => ({ db, spec: JSON.parse(text ?? '') as Spec }));
  const text = JSON.stringify(
    mergeSpecs(specs, {
      ...specs[0]?.spec.info,
      title: `${farm.name} (${formulation})`,
      version: farm.generator_version,
      summary: `${counted(specs.length, 'domain')} in one document`,
      description: `The domains ${specs.map(({ db }) => db).join(', ')}.`,
    }),
  );
  return { text, etag: `"${createHash('sha1').update(text).digest('base64url')}"` };
}

/** An OpenAPI document, with the parts that merging reads. */
export interface Spec {
  readonly openapi: string;
  readonly info: Readonly<Record<string, unknown>>;
  readonly paths?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly tags?: readonly { readonly name: string }[];
  readonly [more: string]: unknown;
}

const MAX_ID_LETTERS = 64;

/**
 * Merges the OpenAPI documents of several domains. Components that are equal in all are shared; one that differs, or
 * refers to one that does, gets the domain's name appended, and so does an operationId that is taken. Everything
 * outside paths, components and tags is the first document's, under `info`.
 */
export function mergeSpecs(
  specs: readonly { readonly db: string; readonly spec: Spec }[],
  info: Readonly<Record<string, unknown>>,
): Spec {
  const paths: Record<string, Record<string, unknown>> = {};
  const components: Record<string, Record<string, unknown>> = {};
  const tags = new Map<string, { readonly name: string }>();
  const ids = new Set<string>();

  for (const { db, spec } of specs) {
    const suffix = `_${db.replace(/[^A-Za-z0-9_-]/g, '_')}`;
    const renamed = renames(spec, components, suffix);
    for (const [section, entries] of Object.entries(spec.components ?? {})) {
      components[section] ??= {};
      const merged = components[section];
      for (const [name, value] of Object.entries(entries)) {
        merged[renamed.get(reference(section, name))?.name ?? name] = pointTo(value, renamed);
      }
    }
    for (const [path, item] of Object.entries(spec.paths ?? {})) {
      paths[path] = pointTo(item, renamed) as Record<string, unknown>;
      for (const operation of Object.values(paths[path])) uniqueId(operation, ids, suffix);
    }
    for (const tag of spec.tags ?? []) if (!tags.has(tag.name)) tags.set(tag.name, tag);
  }
  return {
    openapi: '3.1.0',
    ...specs[0]?.spec,
    info,
    paths,
    components,
    ...(tags.size > 0 ? { tags: [...tags.values()] } : {}),
  };
}

type Renames = ReadonlyMap<string, { readonly name: string; readonly reference: string }>;

const reference = (section: string, name: string) => `#/components/${section}/${escapePointer(name)}`;
const escapePointer = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1');

/** The components of a document that must be renamed, by reference. */
function renames(spec: Spec, merged: Record<string, Record<string, unknown>>, suffix: string): Renames {
  const found = new Map<string, { name: string; reference: string }>();
  const all = Object.entries(spec.components ?? {}).flatMap(([section, entries]) =>
    Object.entries(entries).map(([name, value]) => ({ section, name, text: JSON.stringify(value) })),
  );
  const differs = ({ section, name, text }: (typeof all)[number]) => {
    const other = merged[section]?.[name];
    if (other === undefined) return false;
    return JSON.stringify(other) !== text || [...found.keys()].some((taken) => text.includes(`"${taken}"`));
  };
  // Renaming one may make others differ, so repeat until nothing changes.
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const each of all) {
      const old = reference(each.section, each.name);
      if (found.has(old) || !differs(each)) continue;
      const name = `${each.name}${suffix}`;
      found.set(old, { name, reference: reference(each.section, name) });
    }
  }
  return found;
}

/** A copy in which every `$ref` to a renamed component has its new name. */
function pointTo(value: unknown, renamed: Renames): unknown {
  if (Array.isArray(value)) return value.map((item) => pointTo(item, renamed));
  if (typeof value !== 'object' || value === null) return value;
  const copy: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    copy[key] =
      key === '$ref' && typeof item === 'string'
        ? (renamed.get(item)?.reference ?? item)
        : pointTo(item, renamed);
  }
  return copy;
}

function uniqueId(operation: unknown, ids: Set<string>, suffix: string): void {
  if (typeof operation !== 'object' || operation === null || !('operationId' in operation)) return;
  const id = String(operation.operationId);
  let unique = id;
  for (let i = 1; ids.has(unique); i++) {
    const end = i === 1 ? suffix : `${suffix}_${i}`;
    unique = `${id.slice(0, MAX_ID_LETTERS - end.length)}${end}`;
  }
  ids.add(unique);
  operation.operationId = unique;
}
