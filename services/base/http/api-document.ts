import type { FastifyInstance, FastifySchema, HTTPMethods, RouteOptions } from 'fastify';
import { apiSchemas } from '../../../contracts/api-schemas.ts';
import { licenceObject } from '../../../contracts/data-licence.ts';
import { JSON_SCHEMA_FORM } from '../../../contracts/json-schema.ts';
import { packageVersion } from '../../../contracts/package-root.ts';
import { printOpenapi } from '../../../contracts/print-openapi.ts';
import { completeDocument, documentSchema } from './complete-document.ts';
import { etagOf, isFresh } from './etag.ts';
import { CONTACT } from './openapi-parts.ts';

interface DescribedRoute {
  readonly method: HTTPMethods;
  readonly url: string;
  readonly schema: FastifySchema;
}

const DESCRIPTION =
  "What a farm serves beside its endpoints: tasks, lists of tools, runs, and the farm's health. The endpoints and tools " +
  'of a domain have documents of their own, which the index at `/` names.';

/**
 * `/openapi/rookery.json`: an OpenAPI document of the routes of this process that describe themselves (that have an
 * `operationId`). It is made when first asked for, so that a server's start does not wait for it. Covers every
 * route registered after it.
 */
export function serveApiDocument(app: FastifyInstance): void {
  const routes: DescribedRoute[] = [];
  let made: Promise<string> | undefined;

  app.addHook('onRoute', (route) => {
    const described = describedRoute(route);
    if (described) routes.push(described);
  });
  app.get('/openapi/rookery.json', { config: { kind: 'openapi' } }, async (request, reply) => {
    made ??= apiDocument(routes);
    const text = await made;
    const etag = etagOf(packageVersion, text);
    reply.headers({ etag, 'cache-control': 'no-cache' });
    if (isFresh(request, etag)) return reply.code(304).send();
    return reply.header('content-type', 'application/json; charset=utf-8').send(text);
  });
}

/** MCP has three methods at one address; the one that carries a body is described. */
function describedRoute({ method, url, schema }: RouteOptions): DescribedRoute | undefined {
  if (!schema || !('operationId' in schema)) return undefined;
  const methods = [method].flat();
  if (methods.includes('HEAD')) return undefined;
  return { method: methods.includes('POST') ? 'POST' : (methods[0] ?? 'GET'), url, schema };
}

/** The document of some routes, as JSON text. The libraries that write it are loaded for it alone. */
async function apiDocument(routes: readonly DescribedRoute[]): Promise<string> {
  const { fastify } = await import('fastify');
  const { default: swagger } = await import('@fastify/swagger');
  const { createJsonSchemaTransform, createJsonSchemaTransformObject } = await import(
    'fastify-type-provider-zod'
  );
  const options = {
    schemaRegistry: apiSchemas,
    // What a query string may also say in other words has one form in an answer.
    zodToJsonConfig: JSON_SCHEMA_FORM,
  };
  const app = fastify();
  app.setValidatorCompiler(() => () => true);
  app.setSerializerCompiler(() => JSON.stringify);
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'rookery',
        version: packageVersion,
        summary: 'Tasks, lists of tools and runs of a farm',
        description: DESCRIPTION,
        contact: CONTACT,
        license: licenceObject('Apache-2.0'),
      },
      servers: [{ url: '/', description: 'The host that this file comes from' }],
    },
    transform: createJsonSchemaTransform(options),
    transformObject: createJsonSchemaTransformObject(options),
  });
  for (const route of routes) app.route({ ...route, exposeHeadRoute: false, handler: () => '' });
  await app.ready();
  const text = printOpenapi(withUsedSchemas(completeDocument(documentSchema.parse(app.swagger()))));
  await app.close();
  return text;
}

/** Every schema comes in two forms, as it is sent and as it is answered. Only those that something refers to stay. */
function withUsedSchemas<
  Document extends { paths: object; components: { schemas: object; responses: object } },
>(document: Document): Document {
  const schemas = new Map(Object.entries(document.components.schemas));
  const used = new Set<string>();
  const visit = (part: unknown): void => {
    for (const [, name = ''] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (used.has(name)) continue;
      used.add(name);
      visit(schemas.get(name));
    }
  };
  visit(document.paths);
  visit(document.components.responses);
  const kept = [...schemas].filter(([name]) => used.has(name));
  return { ...document, components: { ...document.components, schemas: Object.fromEntries(kept) } };
}
