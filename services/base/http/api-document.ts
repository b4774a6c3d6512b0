import type { FastifyInstance, FastifySchema, HTTPMethods, RouteOptions } from 'fastify';
import { apiSchemas } from '../../../contracts/api-schemas.ts';
import { packageVersion } from '../../../contracts/package-root.ts';
import { etagOf, isFresh } from './etag.ts';

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
    zodToJsonConfig: { unrepresentable: 'any' as const },
  };
  const app = fastify();
  app.setValidatorCompiler(() => () => true);
  app.setSerializerCompiler(() => JSON.stringify);
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'rookery', version: packageVersion, description: DESCRIPTION },
    },
    transform: createJsonSchemaTransform(options),
    transformObject: createJsonSchemaTransformObject(options),
  });
  for (const route of routes) app.route({ ...route, exposeHeadRoute: false, handler: () => '' });
  await app.ready();
  const text = JSON.stringify(withUsedSchemas(app.swagger()), null, 2)
    // The library's words for an answer of which nothing more is said than its schema.
    .replaceAll('"Default Response"', '"The answer."');
  await app.close();
  return `${text}\n`;
}

/** Every schema comes in two forms, as it is sent and as it is answered. Only those that something refers to stay. */
function withUsedSchemas<Document extends { paths?: object; components?: { schemas?: object } }>(
  document: Document,
): Document {
  const schemas = new Map(Object.entries(document.components?.schemas ?? {}));
  const used = new Set<string>();
  const visit = (part: unknown): void => {
    for (const [, name = ''] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (used.has(name)) continue;
      used.add(name);
      visit(schemas.get(name));
    }
  };
  visit(document.paths);
  const kept = [...schemas].filter(([name]) => used.has(name));
  return { ...document, components: { ...document.components, schemas: Object.fromEntries(kept) } };
}
