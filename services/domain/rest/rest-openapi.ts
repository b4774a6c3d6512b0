import { z } from 'zod';
import { problem } from '../../../contracts/api.ts';
import type { Catalog } from '../../../contracts/catalog.ts';
import { ERRORS, type HttpErrorCode } from '../../../contracts/errors.ts';
import { type LicenceObject, licenceObject } from '../../../contracts/openapi.ts';
import type { Endpoint, EndpointParameter, ResultColumn, Service } from '../../../contracts/service.ts';
import { counted } from '../../../contracts/wording.ts';
import { CONTACT, SECURITY, SECURITY_SCHEMES } from '../../base/http/api-document.ts';

/** The OpenAPI 3.1 document of a domain's REST endpoints: same service, same document. */
export function restOpenapi(service: Service): OpenapiDocument {
  const { split, db, title, endpoints, catalog } = service;
  const tagOf = new Map(endpoints.map((endpoint) => [endpoint, mainTable(endpoint, catalog)]));
  const tags = [...new Set(tagOf.values())].sort();
  return {
    openapi: '3.1.0',
    info: {
      title,
      version: '1',
      summary: `Read-only data of ${title}`,
      description: `${counted(endpoints.length, 'endpoint')} over the tables ${catalog.tables.map(({ name }) => name).join(', ')}. Each answers rows as objects, one key a column.`,
      contact: CONTACT,
      license: licenceObject(service.data_licence),
    },
    servers: [{ url: '/', description: `The host that this file comes from; ${split}/${db}` }],
    security: SECURITY,
    tags: tags.map((name) => ({ name, description: tagDescription(name, service) })),
    paths: Object.fromEntries(
      endpoints.map((endpoint) => [endpoint.path, { get: operationOf(endpoint, tagOf.get(endpoint) ?? db) }]),
    ),
    components: {
      securitySchemes: SECURITY_SCHEMES,
      schemas: commonSchemas(),
      responses: PROBLEMS,
      headers: HEADERS,
    },
  };
}

function tagDescription(name: string, { catalog }: Service): string {
  const table = catalog.tables.find((one) => one.name === name);
  return table?.description ?? `Questions about ${table?.friendly_name ?? name}`;
}

function operationOf(endpoint: Endpoint, tag: string): Operation {
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
        content: { 'application/json': { schema: answerSchema(endpoint.columns) } },
      },
      304: { $ref: '#/components/responses/NotModified' },
      400: { $ref: '#/components/responses/BadRequest' },
      default: { $ref: '#/components/responses/Problem' },
    },
  };
}

function parameterOf(parameter: EndpointParameter): OperationParameter {
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
    description: `${description} May be given several times.`,
    style: 'form',
    explode: true,
    schema: { type: 'array', items: one, minItems: 1 },
  };
}

function parameterSchema(type: EndpointParameter['type']): JsonSchema {
  return type === 'integer'
    ? { type, format: 'int64' }
    : type === 'number'
      ? { type, format: 'double' }
      : { type };
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
        description: 'One object a row; empty when no row fits.',
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

const PROBLEM = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } };

/** What an endpoint may answer instead of rows, besides 400. */
const OTHER_CODES = [
  'UNKNOWN_DOMAIN',
  'UNKNOWN_ENDPOINT',
  'URI_TOO_LONG',
  'QUERY_FAILED',
  'ANSWER_TOO_LARGE',
  'INTERNAL',
  'OVERLOADED',
  'QUERY_TIMEOUT',
] as const satisfies readonly HttpErrorCode[];

/**
 * The responses other than rows that every endpoint may give. Statuses are not written as ranges (`4XX`): some generators
 * of clients take them for numbers.
 */
export const PROBLEMS: Readonly<Record<string, OpenapiResponse>> = {
  NotModified: {
    description: 'The answer that the client has, by its ETag, is still right.',
    headers: { ETag: { $ref: '#/components/headers/ETag' } },
  },
  BadRequest: {
    description: 'A parameter is missing, unknown, given twice, of the wrong type or out of range.',
    content: PROBLEM,
  },
  Problem: {
    description: `There is no answer. ${OTHER_CODES.map((code) => `${ERRORS[code].status} ${code}: ${ERRORS[code].title}.`).join(' ')}`,
    content: PROBLEM,
  },
};

export const HEADERS: Readonly<Record<string, OpenapiHeader>> = {
  ETag: {
    description: 'Names this answer; send it as If-None-Match to be told when nothing has changed.',
    schema: { type: 'string' },
  },
};

/** The schemas that all responses refer to. */
export function commonSchemas(): Readonly<Record<string, JsonSchema>> {
  const { $schema: _, ...schema } = z.toJSONSchema(problem, { target: 'draft-2020-12', io: 'output' });
  return {
    RowCount: { type: 'integer', minimum: 0, description: 'Number of rows in data.' },
    Truncated: { type: 'boolean', description: 'True when there are more rows than an answer may hold.' },
    Problem: {
      ...(schema as JsonSchema),
      description: 'What went wrong (RFC 9457), with one entry in errors for each field at fault.',
    },
  };
}

/** The parts of an OpenAPI 3.1 document that rookery writes. */
export interface OpenapiDocument {
  readonly openapi: '3.1.0';
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly summary: string;
    readonly description: string;
    readonly contact: { readonly name: string };
    readonly license: LicenceObject;
  };
  readonly servers: readonly { readonly url: string; readonly description: string }[];
  /** Requirements of which one has to be met. */
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, { readonly get: Operation }>>;
  readonly components: {
    readonly securitySchemes: Readonly<Record<string, SecurityScheme>>;
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly responses: Readonly<Record<string, OpenapiResponse>>;
    readonly headers: Readonly<Record<string, OpenapiHeader>>;
  };
}

export interface SecurityScheme {
  readonly type: 'apiKey';
  readonly in: 'header';
  readonly name: string;
  readonly description: string;
}

export interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly OperationParameter[];
  readonly responses: Readonly<Record<string, OpenapiResponse | Reference>>;
}

export interface OperationParameter {
  readonly name: string;
  readonly in: 'query' | 'path';
  readonly required: boolean;
  readonly description: string;
  readonly style?: 'form';
  readonly explode?: true;
  readonly schema: JsonSchema;
}

export interface OpenapiResponse {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Reference>>;
  readonly content?: Readonly<Record<string, { readonly schema: JsonSchema }>>;
}

export interface OpenapiHeader {
  readonly description: string;
  readonly schema: JsonSchema;
}

export interface Reference {
  readonly $ref: string;
}

/** A JSON Schema of draft 2020-12, as OpenAPI 3.1 has them. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly minLength?: number;
  readonly minimum?: number;
}

/** The table that an endpoint is listed under: the first that its SQL names in a FROM, or the domain's name. */
export function mainTable({ sql }: Endpoint, { db, tables }: Catalog): string {
  const found = tables
    .map(({ name }) => ({ name, at: sql.indexOf(`FROM ${quoted(name)} `) }))
    .filter(({ at }) => at >= 0)
    .sort((a, b) => a.at - b.at);
  return found[0]?.name ?? db;
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
