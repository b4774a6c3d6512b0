import type { FastifyInstance, FastifySchema, HTTPMethods, RouteOptions } from 'fastify';
import { z } from 'zod';
import { apiSchemas } from '../../../contracts/api.ts';
import { ERRORS, type HttpErrorCode } from '../../../contracts/errors.ts';
import {
  JSON_SCHEMA_FORM,
  licenceObject,
  openapiFile,
  printOpenapi,
  toJsonSchema,
} from '../../../contracts/openapi.ts';
import { packageVersion } from '../../../contracts/package-root.ts';
import { DEFAULT_FORMULATION, formulation as formulationSchema } from '../../../contracts/sample.ts';
import type { Service } from '../../../contracts/service.ts';
import { didYouMean, nearestNames, summaryOf } from '../../../contracts/wording.ts';
import { mapValues } from '../arguments.ts';
import { etagOf, sendTagged } from './json.ts';
import { HttpProblem, unknownName } from './problem.ts';

interface DescribedRoute {
  readonly method: HTTPMethods;
  readonly url: string;
  readonly schema: FastifySchema;
}

const DESCRIPTION =
  "What a farm serves beside its endpoints: tasks, lists of tools, runs, and the farm's health. The endpoints and tools " +
  'of a domain have documents of their own, which the index at `/` names.';

/**
 * Serves `/openapi/rookery.json`: an OpenAPI document of this process's routes that have an `operationId`. It is built
 * on first request, so that it does not delay the server's start. Covers routes registered afterwards.
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
    return sendTagged(request, reply, etag, () => text);
  });
}

function describedRoute({ method, url, schema }: RouteOptions): DescribedRoute | undefined {
  if (!schema || !('operationId' in schema)) return undefined;
  const methods = [method].flat();
  if (methods.includes('HEAD')) return undefined;
  return { method: methods.includes('POST') ? 'POST' : (methods[0] ?? 'GET'), url, schema };
}

/** Builds the document as JSON text. Its libraries are loaded on demand. */
async function apiDocument(routes: readonly DescribedRoute[]): Promise<string> {
  const { fastify } = await import('fastify');
  const { default: swagger } = await import('@fastify/swagger');
  const { createJsonSchemaTransform, createJsonSchemaTransformObject } = await import(
    'fastify-type-provider-zod'
  );
  const options = {
    schemaRegistry: apiSchemas,
    // Query parameters with several input forms have a single output form.
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

/** Schemas come in an input and an output form; keeps only those that are referenced. */
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

const response = z.looseObject({ description: z.string() });
const operation = z.looseObject({ summary: z.string(), responses: z.record(z.string(), response) });

export const documentSchema = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.looseObject({ schemas: z.record(z.string(), z.unknown()) }),
});
type Document = z.infer<typeof documentSchema>;

const TAGS: Readonly<Record<string, string>> = {
  service: 'What is served, and whether it is well',
  tasks: 'Questions, and the tools to answer them with',
  runs: 'For whoever gives tasks to agents: runs, their records and scores',
  run: 'For an agent: one run, complete in itself',
  lists: 'Lists of tools at addresses of their own',
  mcp: 'The same tools by the Model Context Protocol',
  sdk: 'The tools as typed modules, for programs',
};

const PROBLEM = problemAnswer('What is wrong (RFC 9457).');
const PROBLEM_REFERENCE = { $ref: '#/components/responses/Problem' };

/** Adds what routes need not repeat: security, descriptions of tags, and the common error response. */
export function completeDocument({ paths, components, ...rest }: Document) {
  return {
    ...rest,
    security: SECURITY,
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths: mapValues(paths, (methods) => mapValues(methods, complete)),
    components: { securitySchemes: SECURITY_SCHEMES, ...components, responses: { Problem: PROBLEM } },
  };
}

function complete({ summary, responses, ...rest }: z.infer<typeof operation>) {
  const successes = Object.entries(responses).filter(([status]) => /^[23]/.test(status));
  return {
    ...rest,
    summary: summary.replace(/\.$/, ''),
    description: summary,
    responses: {
      ...mapValues(Object.fromEntries(successes), (each) =>
        // The library's default description of an undescribed response.
        each.description === 'Default Response' ? { ...each, description: 'The answer.' } : each,
      ),
      400: PROBLEM_REFERENCE,
      default: PROBLEM_REFERENCE,
    },
  };
}

export function unknownFile(file: string, dbs: readonly string[]): HttpProblem {
  const known = dbs.map((db) => openapiFile(db, DEFAULT_FORMULATION));
  const missing = 'There is no file';
  return unknownName('UNKNOWN_ROUTE', { missing, name: file, known, most: Number.POSITIVE_INFINITY });
}

/** A farm is open unless its operator requires keys, but clients may always send one. */
export const SECURITY: readonly Readonly<Record<string, readonly string[]>>[] = [{}, { ApiKey: [] }];

export const SECURITY_SCHEMES = {
  ApiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: 'Required if the operator of the farm asks for keys.',
  },
} as const;

export const CONTACT = { name: 'The operator of this farm' } as const;

export function domainDocument<Body extends { readonly paths: object; readonly components: object }>(
  { split, db, data_licence }: Pick<Service, 'split' | 'db' | 'data_licence'>,
  { title, ...about }: Readonly<Record<'title' | 'summary' | 'description', string>>,
  body: Body,
) {
  return {
    openapi: '3.1.0',
    info: { title, version: '1', ...about, contact: CONTACT, license: licenceObject(data_licence) },
    servers: [{ url: '/', description: `The host that this file comes from; ${split}/${db}` }],
    security: SECURITY,
    ...body,
    components: { securitySchemes: SECURITY_SCHEMES, ...body.components },
  };
}

export function toolOperation(
  { name, description, parameters }: { name: string; description: string; parameters: object },
  tag: string,
  answer: object,
  codes: readonly HttpErrorCode[],
) {
  return {
    operationId: name,
    summary: summaryOf(description),
    description,
    tags: [tag],
    requestBody: { required: true, content: json(parameters) },
    responses: { 200: { description: 'The rows.', content: json(answer) }, ...problemAnswers(codes) },
  };
}

export function json<Schema extends object>(schema: Schema) {
  return { 'application/json': { schema } };
}

export function problemAnswer(description: string) {
  return {
    description,
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
  };
}

/** A list of codes, separated by spaces. */
export function errorCodes<Text extends string>(...texts: Text[]) {
  return texts.flatMap((text) => text.split(' ')) as Word<Text> extends HttpErrorCode
    ? Word<Text>[]
    : Word<Text>;
}
type Word<Text extends string> = Text extends `${infer First} ${infer Rest}` ? First | Word<Rest> : Text;

/** Formats `404 UNKNOWN_TOOL: There is no such tool. …`. */
export function describeCodes(codes: readonly HttpErrorCode[]): string {
  return codes
    .map((code) => {
      const [status, title] = ERRORS.http[code];
      return `${status} ${code}: ${title}.`;
    })
    .join(' ');
}

export function problemAnswers(codes: readonly HttpErrorCode[], otherwise = 'There is no answer.') {
  const wrong = codes.filter((code) => ERRORS.http[code][0] === 400);
  const others = codes.filter((code) => ERRORS.http[code][0] !== 400);
  return {
    400: problemAnswer(`The arguments are wrong. ${describeCodes(wrong)}`),
    default: problemAnswer(`${otherwise} ${describeCodes(others)}`),
  };
}

/** A schema as JSON Schema, for a document that declares its dialect. */
export function schemaOf<Schema extends object>(
  schema: z.ZodType,
  params?: Parameters<typeof toJsonSchema>[1],
): Schema {
  const { $schema: _dialect, ...json } = toJsonSchema(schema, params);
  return json as object as Schema;
}

export interface Documented {
  readonly names: () => readonly string[];
  readonly hasOpenapi: (db: string, formulation: string) => boolean;
  readonly hasOwnApi: boolean;
}

/** `/docs`, `/docs/<db>`, `/docs/<db>/slot`: short addresses of the API references, which are views of the console. */
export function referenceRoutes(app: FastifyInstance, { names, hasOpenapi, hasOwnApi }: Documented): void {
  const config = { kind: 'docs', produces: ['text/html'] };
  app.get('/docs', { config }, (_request, reply) => reply.redirect(hasOwnApi ? '/#/reference' : '/'));

  app.get<{ Params: { db: string; formulation?: string } }>(
    '/docs/:db/:formulation?',
    { config },
    (request, reply) => {
      const { db, formulation = DEFAULT_FORMULATION } = request.params;
      const known = names();
      const isKnown = known.includes(db) && formulationSchema.safeParse(formulation).success;
      if (!isKnown || !hasOpenapi(db, formulation)) {
        const hint = known.includes(db) ? '' : didYouMean(nearestNames(db, known));
        throw new HttpProblem('UNKNOWN_DOMAIN', `There is no API reference for ${db} ${formulation}${hint}`);
      }
      return reply.redirect(`/#/reference/${encodeURIComponent(db)}/${formulation}`);
    },
  );
}
