import { licenceObject } from '../../../../../contracts/data-licence.ts';
import type { Endpoint, EndpointParameter, ResultColumn, Service } from '../../../../../contracts/service.ts';
import { counted } from '../../../../../contracts/wording.ts';
import { CONTACT, SECURITY, SECURITY_SCHEMES } from '../../../../base/http/openapi-parts.ts';
import { commonSchemas, HEADERS, PROBLEMS } from './common-answers.ts';
import type { JsonSchema, OpenapiDocument, Operation, OperationParameter } from './document.ts';
import { mainTable } from './main-table.ts';

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
