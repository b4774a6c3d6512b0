import type { FastifyReply, FastifyRequest } from 'fastify';
import { LosslessNumber } from 'lossless-json';
import { problem } from '../../../contracts/api.ts';
import type { Catalog } from '../../../contracts/catalog.ts';
import { addressOf } from '../../../contracts/formulation.ts';
import { FORMULATIONS } from '../../../contracts/formulations.ts';
import type { Endpoint, EndpointParameter, ResultColumn, Service } from '../../../contracts/service.ts';
import { counted } from '../../../contracts/wording.ts';
import {
  describeCodes,
  domainDocument,
  errorCodes,
  json,
  problemAnswer,
  schemaOf,
} from '../../base/http/api-document.ts';
import { type Caller, callerOfRequest, wantsFresh } from '../../base/http/caller.ts';
import { tooLong } from '../../base/http/create-app.ts';
import { etagOf, isFresh, queryFields, sendJson } from '../../base/http/json.ts';
import { HttpProblem, unknownName } from '../../base/http/problem.ts';
import { BudgetSpentError, type JsonRows, quoted, runJsonQuery } from '../../base/sqlite/driver.ts';
import {
  asProblem,
  type CachedAnswer,
  type CompiledEndpoint,
  type RuntimeContext,
  type ServedDomain,
} from '../runtime.ts';
import {
  closedObject,
  domainToolset,
  type JsonSchema,
  type ObjectSchema,
  type ServedFormulation,
  type ToolSpec,
} from '../tools/tool-spec.ts';
import {
  type BoundParameters,
  bindParameters,
  type QueryString,
  readEndpointPath,
  spellOutLists,
} from './parameters.ts';

/** The OpenAPI 3.1 document of a domain's REST endpoints: same service, same document. */
export function restOpenapi(service: Service) {
  const { db, title, endpoints, catalog } = service;
  const tagOf = new Map(endpoints.map((endpoint) => [endpoint, mainTable(endpoint, catalog)]));
  const tags = [...new Set(tagOf.values())].sort();
  const info = {
    title,
    summary: `Read-only data of ${title}`,
    description: `${counted(endpoints.length, 'endpoint')} over the tables ${catalog.tables.map(({ name }) => name).join(', ')}. Each returns rows as objects with one key per column.`,
  };
  return domainDocument(service, info, {
    tags: tags.map((name) => ({ name, description: tagDescription(name, service) })),
    paths: Object.fromEntries(
      endpoints.map((endpoint) => [endpoint.path, { get: operationOf(endpoint, tagOf.get(endpoint) ?? db) }]),
    ),
    components: { schemas: commonSchemas(), responses: PROBLEMS, headers: HEADERS },
  });
}

function tagDescription(name: string, { catalog }: Service): string {
  const table = catalog.tables.find((one) => one.name === name);
  return table?.description ?? `Questions about ${table?.friendly_name ?? name}`;
}

function operationOf(endpoint: Endpoint, tag: string) {
  return {
    operationId: endpoint.operation_id,
    tags: [tag],
    summary: endpoint.summary,
    description: endpoint.description,
    parameters: endpoint.parameters.map(parameterOf),
    responses: {
      200: {
        description: 'The rows.',
        headers: { ETag: { $ref: '#/components/headers/ETag' } },
        content: json(answerSchema(endpoint.columns)),
      },
      304: { $ref: '#/components/responses/NotModified' },
      400: { $ref: '#/components/responses/BadRequest' },
      default: { $ref: '#/components/responses/Problem' },
    },
  };
}

function parameterOf(parameter: EndpointParameter) {
  const { name, type, array, description, required } = parameter;
  const one = parameterSchema(type);
  if (parameter.in === 'path') {
    const schema = type === 'string' ? { ...one, minLength: 1 } : one;
    return { name, in: 'path', required, description, schema };
  }
  if (!array) return { name, in: 'query', required, description, schema: one };
  return {
    name,
    in: 'query',
    required,
    description: `${description} Can be repeated.`,
    style: 'form',
    explode: true,
    schema: { type: 'array', items: one, minItems: 1 },
  };
}

function parameterSchema(type: EndpointParameter['type']): JsonSchema {
  if (type === 'string') return { type };
  return { type, format: type === 'integer' ? 'int64' : 'double' };
}

/** `{"data": [{column: value}], "row_count": n, "truncated": false}` */
function answerSchema(columns: readonly ResultColumn[]): JsonSchema {
  return {
    type: 'object',
    required: ['data', 'row_count', 'truncated'],
    additionalProperties: false,
    properties: {
      data: {
        type: 'array',
        description: 'One object per row; empty if no row matches.',
        items: {
          type: 'object',
          required: columns.map(({ name }) => name),
          additionalProperties: false,
          properties: Object.fromEntries(columns.map((column) => [column.name, columnSchema(column)])),
        },
      },
      row_count: { $ref: '#/components/schemas/RowCount' },
      truncated: { $ref: '#/components/schemas/Truncated' },
    },
  };
}

function columnSchema({ type, nullable, description }: ResultColumn): JsonSchema {
  const types = type === 'any' ? ['string', 'number'] : [type];
  const all = nullable || type === 'any' ? [...types, 'null'] : types;
  const [only] = all;
  return { type: all.length === 1 && only !== undefined ? only : all, description };
}

/** Problems of an endpoint other than 400. */
const OTHER_CODES = errorCodes(
  'UNKNOWN_DOMAIN UNKNOWN_ENDPOINT URI_TOO_LONG QUERY_FAILED ANSWER_TOO_LARGE INTERNAL OVERLOADED',
  'QUERY_TIMEOUT',
);

/**
 * The error responses of every endpoint. Statuses are not ranges (`4XX`), which some client generators parse as
 * numbers.
 */
const PROBLEMS: Readonly<
  Record<string, { readonly description: string; readonly headers?: object; readonly content?: object }>
> = {
  NotModified: {
    description: 'The answer has not changed since the client received the version with this ETag.',
    headers: { ETag: { $ref: '#/components/headers/ETag' } },
  },
  BadRequest: problemAnswer(
    'A parameter is missing, unknown, given twice, of the wrong type or out of range.',
  ),
  Problem: problemAnswer(`There is no answer. ${describeCodes(OTHER_CODES)}`),
};

const HEADERS = {
  ETag: {
    description:
      'Identifies this version of the answer. Sent back as If-None-Match, it yields 304 for as long as the answer is unchanged.',
    schema: { type: 'string' },
  },
};

function commonSchemas() {
  return {
    RowCount: { type: 'integer', minimum: 0, description: 'Number of rows in data.' },
    Truncated: { type: 'boolean', description: 'Whether there are more rows than an answer can hold.' },
    Problem: {
      ...schemaOf(problem),
      description: 'What went wrong (RFC 9457), with one entry in errors for each field at fault.',
    },
  };
}

/** The table that an endpoint is grouped under: the first in a FROM of its SQL, or the domain's name. */
export function mainTable({ sql }: Endpoint, { db, tables }: Catalog): string {
  const found = tables
    .map(({ name }) => ({ name, at: sql.indexOf(`FROM ${quoted(name)} `) }))
    .filter(({ at }) => at >= 0)
    .sort((a, b) => a.at - b.at);
  return found[0]?.name ?? db;
}

/** REST: one route serves all endpoints, which are data. */
export const rest: ServedFormulation = {
  routes(app, context) {
    const handler = restHandler(context);
    app.get('/v1/:split/:db/:endpoint', { config: { kind: 'rest' } }, handler);
    app.get('/v1/:split/:db/:nouns/:value/*', { config: { kind: 'rest' } }, handler);
  },
  async answer(context, { domain, service, name, arguments: args }, asker) {
    const url = addressOf(FORMULATIONS.rest.requestOf(service, { name, arguments: args }));
    const problem = tooLong(url, context.limits);
    if (problem) throw problem;
    const isWritten = domain.journal.length > 0;
    const cached = asker.fresh || isWritten ? undefined : context.cache.get(url);
    if (cached) return cached.body;
    const query = bindQuery(domain, segmentsOf(url), queryFields(url.split('?')[1] ?? ''));
    if (isWritten)
      return emitAnswer(runOnMainThread(context, query) ?? (await runInChild(context, query, asker)));
    const { body } = await answerQuery(context, query, url, asker.fresh, () => asker);
    return body;
  },
  tools: (service) => restTools(service),
  toolset: (service) => domainToolset(service, 'rest', service.endpoints.length),
  answerSchema: (service, tool) => restAnswerSchema(endpointOf(service, tool)),
  subjectOf: (service, tool) => mainTable(endpointOf(service, tool), service.catalog),
  openapi: restOpenapi,
  readCall(service, { path, query }) {
    const name = path.at(-1);
    if (name === undefined) return null;
    const endpoint = service?.endpoints.find((each) => each.name === name);
    const inPath = readEndpointPath(endpoint, path);
    if (inPath === null) return null;
    const given = new URLSearchParams([...Object.entries(inPath), ...query]);
    return {
      method: 'GET',
      name: endpoint?.operation_id ?? null,
      arguments: () => (endpoint ? queryArguments(endpoint, given) : {}),
      view: '',
    };
  },
};

function endpointOf({ db, endpoints }: Service, tool: string): Endpoint {
  const endpoint = endpoints.find(({ operation_id }) => operation_id === tool);
  if (!endpoint) throw new Error(`${db} has no endpoint ${tool}`);
  return endpoint;
}

/** Handles every `GET /v1/:split/:db/…` of an endpoint: answers from the cache, or validates, runs and answers. */
export function restHandler(context: RuntimeContext) {
  return (request: FastifyRequest, reply: FastifyReply): FastifyReply | Promise<FastifyReply> => {
    const url = request.raw.url as string;
    const fresh = wantsFresh(request);
    const cached = fresh ? undefined : context.cache.get(url);
    if (cached) return sendAnswer(request, reply, cached);

    const domain = context.domains.of(request);
    // Absent in paths with nouns and values.
    const { endpoint: name } = request.params as { readonly endpoint?: string };
    const segments = name === undefined ? segmentsOf(url) : [name];
    const query = bindQuery(domain, segments, request.query as QueryString);
    if (request.headers['if-none-match'] !== undefined) {
      const etag = etagOf(domain.version, url);
      if (isFresh(request, etag)) return sendAnswer(request, reply, { body: '', etag });
    }
    const answer = answerQuery(context, query, url, fresh, () => callerOfRequest(request, reply));
    if (!(answer instanceof Promise)) return sendAnswer(request, reply, answer);
    return answer.then((made) => sendAnswer(request, reply, made));
  };
}

/** Throws UNKNOWN_ENDPOINT, UNKNOWN_ROUTE, INVALID_PARAMETERS. */
function bindQuery(domain: ServedDomain, segments: readonly string[], given: QueryString): EndpointQuery {
  const endpoint = findEndpoint(domain, segments.at(-1) ?? '');
  const inPath = readEndpointPath(endpoint.endpoint, segments);
  if (inPath === null)
    throw new HttpProblem('UNKNOWN_ROUTE', `There is nothing here; ask ${endpoint.endpoint.path}`);
  return {
    domain,
    endpoint,
    parameters: bindParameters(endpoint.endpoint.parameters, together(inPath, given)),
  };
}

/** The answer for a URL: at once from the main thread, or a promise from a child process. */
function answerQuery(
  context: RuntimeContext,
  query: EndpointQuery,
  url: string,
  fresh: boolean | undefined,
  askedBy: () => Caller,
): CachedAnswer | Promise<CachedAnswer> {
  const { cache } = context;
  const finish = (rows: JsonRows): CachedAnswer => {
    const answer = { body: emitAnswer(rows), etag: etagOf(query.domain.version, url) };
    if (!fresh) cache.set(url, answer);
    return answer;
  };
  const key = fresh ? `${askedBy().caller} ${url}` : url;
  const rows = cache.underWay.has(key) ? null : runOnMainThread(context, query);
  if (rows) return finish(rows);
  return cache.underWay.share(key, askedBy(), (asker) => runInChild(context, query, asker).then(finish));
}

/** Decoded segments of a request's path after the domain's. Undecodable ones were rejected earlier. */
function segmentsOf(url: string): string[] {
  return (url.split('?', 1)[0] ?? '').split('/').slice(DOMAIN_SEGMENTS).map(decodeURIComponent);
}

const DOMAIN_SEGMENTS = 4;

/** The parameters of path and query string; one in both counts as repeated. */
function together(inPath: Readonly<Record<string, string>>, query: QueryString): QueryString {
  const named = Object.entries(inPath);
  if (named.length === 0) return query;
  const all: Record<string, string | readonly string[]> = { ...query };
  for (const [name, value] of named) {
    const other = query[name];
    all[name] = other === undefined ? value : [value, other].flat();
  }
  return all;
}

function findEndpoint(domain: ServedDomain, name: string): CompiledEndpoint {
  const endpoint = domain.endpoint(name);
  if (endpoint) return endpoint;
  throw unknownName('UNKNOWN_ENDPOINT', {
    missing: `${domain.service.db} has no endpoint`,
    name,
    known: domain.endpointNames(),
    field: 'endpoint',
    most: Number.POSITIVE_INFINITY,
  });
}

function emitAnswer(rows: JsonRows): string {
  return `{"data":[${rows.text}],"row_count":${rows.count},"truncated":${rows.truncated}}`;
}

function sendAnswer(request: FastifyRequest, reply: FastifyReply, answer: CachedAnswer): FastifyReply {
  if (isFresh(request, answer.etag)) {
    return reply.header('etag', answer.etag).header('cache-control', 'no-cache').code(304).send();
  }
  sendJson(reply, answer.body, answer.etag);
  return reply;
}

export interface EndpointQuery {
  readonly domain: ServedDomain;
  readonly endpoint: CompiledEndpoint;
  readonly parameters: BoundParameters;
}

/**
 * An endpoint's rows from the main thread; null if a child process must run it. A statement cannot be stopped from
 * within, but a quick one that lingers is abandoned between two rows, and an endpoint that was slow twice counts as
 * slow from then on.
 */
export function runOnMainThread(
  { limits, metrics }: RuntimeContext,
  { domain, endpoint, parameters }: EndpointQuery,
): JsonRows | null {
  if (endpoint.slow) return null;
  const caps = { maxRows: limits.maxRows, maxBytes: limits.maxBytes, budgetMs: limits.quickMs };
  const start = endpoint.timer.start();
  try {
    const connection = domain.connection();
    const bounded = endpoint.bounded(connection, parameters.values);
    // Spread last: adding fields to a spread object costs Node.js 20 more than the query.
    return runJsonQuery(connection, {
      caps,
      keep: true,
      bounded,
      ...spellOutLists(endpoint.sql, parameters),
    });
  } catch (error) {
    if (error instanceof BudgetSpentError) return null;
    throw asProblem(error);
  } finally {
    if (endpoint.observe(start, limits.quickMs)) metrics.demotions++;
  }
}

/** An endpoint's rows from a child process. Rejects as `SlowQueries.run` does. */
export function runInChild(
  { limits, slowQueries }: RuntimeContext,
  { domain, endpoint, parameters }: EndpointQuery,
  asker: Caller,
): Promise<JsonRows> {
  const caps = { maxRows: limits.maxRows, maxBytes: limits.maxBytes };
  const statement = spellOutLists(endpoint.sql, parameters);
  const query = { ...statement, caps, keep: true, ...domain.source };
  return slowQueries.run(query, limits.timeoutMs, asker);
}

export function restTools({ endpoints }: Service): ToolSpec[] {
  return endpoints.map((endpoint) => ({
    name: endpoint.operation_id,
    description: describe(endpoint),
    parameters: closedObject(
      Object.fromEntries(endpoint.parameters.map((each) => [each.name, restSchemaOf(each)])),
      endpoint.parameters.map(({ name }) => name),
    ),
  }));
}

function describe({ summary, description }: Endpoint): string {
  if (description === '' || description === summary) return summary;
  return description.startsWith(summary) ? description : `${summary.replace(/\.?$/, '.')} ${description}`;
}

function restSchemaOf({ type, array, description }: EndpointParameter): JsonSchema {
  return array ? { type: 'array', items: { type }, description } : { type, description };
}

/** The schema of a REST endpoint's answers: the common shape with the endpoint's columns. */
export function restAnswerSchema({ columns }: Endpoint): ObjectSchema {
  return {
    type: 'object',
    properties: {
      data: {
        type: 'array',
        items: {
          type: 'object',
          properties: Object.fromEntries(
            columns.map(({ name, type, nullable }) => [
              name,
              type === 'any' ? {} : { type: nullable ? [type, 'null'] : type },
            ]),
          ),
          required: columns.map(({ name }) => name),
        },
      },
      row_count: { type: 'integer' },
      truncated: { type: 'boolean' },
    },
    required: ['data', 'row_count', 'truncated'],
  };
}

/** The arguments of a call from a query string, converted to the types of the parameters if possible. */
export function queryArguments(
  endpoint: Pick<Endpoint, 'parameters'>,
  query: URLSearchParams,
): Record<string, unknown> {
  const args: Record<string, unknown> = {};
  for (const name of new Set(query.keys())) {
    const parameter = endpoint.parameters.find((each) => each.name === name);
    const values = query.getAll(name).map((text) => typedValue(text, parameter));
    args[name] = parameter?.array || values.length > 1 ? values : values[0];
  }
  return args;
}

function typedValue(text: string, parameter: EndpointParameter | undefined): unknown {
  if (parameter === undefined || parameter.type === 'string') return text;
  if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text)) return text;
  return String(Number(text)) === text ? Number(text) : new LosslessNumber(text);
}
