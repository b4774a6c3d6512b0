import { licenceObject } from '../../../contracts/data-licence.ts';
import { domainPath } from '../../../contracts/domain-path.ts';
import { ERRORS, type HttpErrorCode } from '../../../contracts/errors.ts';
import { toJsonSchema } from '../../../contracts/json-schema.ts';
import { problem } from '../../../contracts/problem.ts';
import type { Service } from '../../../contracts/service.ts';
import type { TableApiStyle } from '../../../contracts/table-api.ts';
import { CONTACT, SECURITY, SECURITY_SCHEMES } from '../../base/http/openapi-parts.ts';
import type { JsonSchema } from '../live-tools/toolset/json-schema.ts';
import { parameterSchemas } from './parameter-schemas.ts';
import { type TableApi, tableApis } from './table-apis.ts';

const CODES = [
  'INVALID_PARAMETERS',
  'BAD_REQUEST',
  'UNKNOWN_ENDPOINT',
  'UNKNOWN_DOMAIN',
  'QUERY_FAILED',
  'OVERLOADED',
  'QUERY_TIMEOUT',
  'INTERNAL',
] as const satisfies HttpErrorCode[];

/** The APIs of a domain's tables as an OpenAPI 3.1 document: same service and style, same document. */
export function tablesOpenapi(service: Service, style: TableApiStyle) {
  const { split, db, title, data_licence } = service;
  const apis = tableApis(service, style);
  return {
    openapi: '3.1.0',
    info: {
      title: `${title}: tables`,
      version: '1',
      summary: `The tables of ${title} as APIs`,
      description: 'Every parameter may be left out; those that are given hold all at once.',
      contact: CONTACT,
      license: licenceObject(data_licence),
    },
    servers: [{ url: '/', description: `The host that this file comes from; ${split}/${db}` }],
    security: SECURITY,
    'x-rookery-table-api': style,
    paths: Object.fromEntries(
      apis.map((api) => [`${domainPath(split, db)}/tables/${api.name}`, pathItem(api, service, style)]),
    ),
    components: {
      securitySchemes: SECURITY_SCHEMES,
      schemas: {
        ...Object.fromEntries(apis.map((api) => [`${api.name}_row`, rowSchema(api, style)])),
        Problem: problemSchema(),
      },
    },
  };
}

function pathItem(api: TableApi, { db, title }: Service, style: TableApiStyle) {
  const schemas = parameterSchemas(api, style);
  const columns = api.columns.map(({ name }) => name).join(', ');
  const described = {
    summary: `Rows of ${api.table.friendly_name ?? api.table.name}`,
    description: `Handles requests regarding ${columns} in the context of ${title || db}.`,
    responses: responses(api),
  };
  return {
    get: {
      operationId: `get_${api.name}`,
      ...described,
      parameters: Object.entries(schemas).map(([name, { description, ...schema }]) => ({
        name,
        in: 'query',
        required: false,
        description,
        ...(schema.type === 'array' ? { style: 'form', explode: true } : {}),
        schema,
      })),
    },
    post: {
      operationId: `post_${api.name}`,
      ...described,
      requestBody: {
        required: false,
        content: {
          'application/json': {
            schema: { type: 'object', properties: schemas, additionalProperties: false },
          },
        },
      },
    },
  };
}

function responses(api: TableApi) {
  return {
    200: {
      description: 'Data returned.',
      content: {
        'application/json': {
          schema: {
            type: 'object',
            properties: {
              data: { type: 'array', items: { $ref: `#/components/schemas/${api.name}_row` } },
              row_count: { type: 'integer', description: 'Number of rows in data.' },
              total: { type: 'integer', description: 'Number of rows on all pages.' },
              next_offset: { type: ['integer', 'null'], description: 'Where the next page begins.' },
              truncated: { type: 'boolean', description: 'Whether there are rows that data has not.' },
            },
            required: ['data', 'row_count', 'total', 'next_offset', 'truncated'],
          },
        },
      },
    },
    400: problemResponse('The arguments are wrong.', (status) => status === 400),
    default: problemResponse('There is no answer.', (status) => status !== 400),
  };
}

/** A rich API answers some columns only, or aggregates. */
function rowSchema({ columns }: TableApi, style: TableApiStyle): JsonSchema {
  const properties = columns.map(({ name, column }) => {
    const types = new Set<string>([column.type, 'null']);
    const { storage } = column.statistics;
    if (storage.text + storage.blob > 0) types.add('string');
    if (storage.integer + storage.real > 0) types.add('number');
    if (types.has('number')) types.delete('integer');
    return [name, { type: [...types] }] as const;
  });
  const required = style === 'rich' ? {} : { required: columns.map(({ name }) => name) };
  return { type: 'object', properties: Object.fromEntries(properties), ...required };
}

function problemResponse(text: string, has: (status: number) => boolean) {
  const codes = CODES.filter((code) => has(ERRORS[code].status));
  return {
    description: `${text} ${codes.map((code) => `${ERRORS[code].status} ${code}: ${ERRORS[code].title}.`).join(' ')}`,
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
  };
}

function problemSchema(): JsonSchema {
  const { $schema: _dialect, ...schema } = toJsonSchema(problem) as JsonSchema;
  return schema;
}
