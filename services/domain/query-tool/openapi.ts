import { licenceObject } from '../../../contracts/data-licence.ts';
import { ERRORS, type HttpErrorCode } from '../../../contracts/errors.ts';
import { query } from '../../../contracts/formulations/query.ts';
import { toJsonSchema } from '../../../contracts/json-schema.ts';
import { problem } from '../../../contracts/problem.ts';
import type { Service } from '../../../contracts/service.ts';
import { CONTACT, SECURITY, SECURITY_SCHEMES } from '../../base/http/openapi-parts.ts';
import type { JsonSchema } from '../live-tools/toolset/json-schema.ts';
import type { ToolSpec } from '../live-tools/toolset/tool-spec.ts';
import { QUERY_ANSWER_SCHEMA } from './answer-schema.ts';

const CODES = [
  'INVALID_PARAMETERS',
  'BAD_REQUEST',
  'UNKNOWN_TOOL',
  'UNKNOWN_DOMAIN',
  'REQUEST_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'QUERY_FAILED',
  'ANSWER_TOO_LARGE',
  'OVERLOADED',
  'QUERY_TIMEOUT',
  'INTERNAL',
] as const satisfies HttpErrorCode[];

/** The tool of a domain as an OpenAPI 3.1 document. */
export function queryOpenapi(service: Service, tool: ToolSpec) {
  const { split, db, title, data_licence } = service;
  return {
    openapi: '3.1.0',
    info: {
      title: `${title}: ${query.title} tool`,
      version: '1',
      summary: `One tool for the tables of ${title}`,
      description: 'Search, filters, aggregations and a group-by as arguments of one call.',
      contact: CONTACT,
      license: licenceObject(data_licence),
    },
    servers: [{ url: '/', description: `The host that this file comes from; ${split}/${db}` }],
    security: SECURITY,
    tags: [{ name: query.title, description: query.summary }],
    paths: {
      [query.routeOf({ split, db, endpoints: [] }, tool.name).path]: {
        post: {
          operationId: tool.name,
          summary: tool.name.replaceAll('_', ' '),
          description: tool.description,
          tags: [query.title],
          requestBody: { required: true, content: { 'application/json': { schema: tool.parameters } } },
          responses: {
            200: {
              description: 'The rows.',
              content: { 'application/json': { schema: { $ref: '#/components/schemas/QueryAnswer' } } },
            },
            400: problemResponse('The arguments are wrong.', (status) => status === 400),
            default: problemResponse('There is no answer.', (status) => status !== 400),
          },
        },
      },
    },
    components: {
      securitySchemes: SECURITY_SCHEMES,
      schemas: { QueryAnswer: QUERY_ANSWER_SCHEMA, Problem: problemSchema() },
    },
  };
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
