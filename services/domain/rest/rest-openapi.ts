import { problem } from '../../../contracts/api.ts';
import type { Catalog } from '../../../contracts/catalog.ts';
import type { HttpErrorCode } from '../../../contracts/errors.ts';
import type { Endpoint, EndpointParameter, ResultColumn, Service } from '../../../contracts/service.ts';
import { counted } from '../../../contracts/wording.ts';
import {
  describeCodes,
  domainDocument,
  json,
  problemAnswer,
  schemaOf,
} from '../../base/http/api-document.ts';
import type { JsonSchema } from '../tool-specs/tool-spec.ts';

/** The OpenAPI 3.1 document of a domain's REST endpoints: same service, same document. */
export function restOpenapi(service: Service) {
  const { db, title, endpoints, catalog } = service;
  const tagOf = new Map(endpoints.map((endpoint) => [endpoint, mainTable(endpoint, catalog)]));
  const tags = [...new Set(tagOf.values())].sort();
  const info = {
    title,
    summary: `Read-only data of ${title}`,
    description: `${counted(endpoints.length, 'endpoint')} over the tables ${catalog.tables.map(({ name }) => name).join(', ')}. Each answers rows as objects, one key a column.`,
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
    description: `${description} May be given several times.`,
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

/** Problems of an endpoint other than 400. */
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
 * The error responses of every endpoint. Statuses are not ranges (`4XX`), which some client generators parse as
 * numbers.
 */
const PROBLEMS: Readonly<
  Record<string, { readonly description: string; readonly headers?: object; readonly content?: object }>
> = {
  NotModified: {
    description: 'The answer that the client has, by its ETag, is still right.',
    headers: { ETag: { $ref: '#/components/headers/ETag' } },
  },
  BadRequest: problemAnswer(
    'A parameter is missing, unknown, given twice, of the wrong type or out of range.',
  ),
  Problem: problemAnswer(`There is no answer. ${describeCodes(OTHER_CODES)}`),
};

const HEADERS = {
  ETag: {
    description: 'Names this answer; send it as If-None-Match to be told when nothing has changed.',
    schema: { type: 'string' },
  },
};

/** The schemas shared by all responses. */
function commonSchemas() {
  return {
    RowCount: { type: 'integer', minimum: 0, description: 'Number of rows in data.' },
    Truncated: { type: 'boolean', description: 'True when there are more rows than an answer may hold.' },
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

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
