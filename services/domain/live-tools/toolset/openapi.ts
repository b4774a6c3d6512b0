import type { z } from 'zod';
import { licenceObject } from '../../../../contracts/data-licence.ts';
import { ERRORS, type HttpErrorCode } from '../../../../contracts/errors.ts';
import { FORMULATIONS } from '../../../../contracts/formulations/registry.ts';
import { toolRoot } from '../../../../contracts/formulations/tool-chain.ts';
import { toJsonSchema } from '../../../../contracts/json-schema.ts';
import { problem } from '../../../../contracts/problem.ts';
import type { Service } from '../../../../contracts/service.ts';
import { operand, toolAnswer } from '../../../../contracts/tools.ts';
import { CONTACT, SECURITY, SECURITY_SCHEMES } from '../../../base/http/openapi-parts.ts';
import { DEFAULT_VALUES, MAX_PREVIEW_ROWS } from '../answers/view.ts';
import type { ToolFormulation } from '../toolboxes/toolboxes.ts';
import { simplify } from './arguments-schema.ts';
import { type JsonSchema, mapSchema } from './json-schema.ts';
import { shareSchemas } from './shared-schemas.ts';
import type { ToolSpec } from './tool-spec.ts';

const CODES = [
  'INVALID_PARAMETERS',
  'BAD_REQUEST',
  'UNKNOWN_HANDLE',
  'UNKNOWN_TOOL',
  'REQUEST_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'QUERY_FAILED',
  'QUERY_TOO_COMPLEX',
  'ANSWER_TOO_LARGE',
  'OVERLOADED',
  'QUERY_TIMEOUT',
  'INTERNAL',
] as const satisfies HttpErrorCode[];

/** Tools of a domain as an OpenAPI 3.1 document: one POST a tool, its operationId the tool's name. */
export function openapiOfTools(
  service: Pick<Service, 'split' | 'db' | 'title' | 'data_licence'>,
  formulation: ToolFormulation,
  tools: readonly ToolSpec[],
) {
  const { split, db, title, data_licence } = service;
  const shared = shareSchemas(tools, OPERAND);
  const { title: style, summary } = FORMULATIONS[formulation];
  return {
    openapi: '3.1.0',
    info: {
      title: `${title}: ${style} tools`,
      version: '1',
      summary: `Operations on the tables of ${title}`,
      description:
        'Each tool answers a handle, which later calls name as their data source or, written `$handle$`, as a ' +
        'value. The same call always answers the same handle.',
      contact: CONTACT,
      license: licenceObject(data_licence),
    },
    servers: [{ url: '/', description: `The host that this file comes from; ${split}/${db}` }],
    security: SECURITY,
    tags: [{ name: style, description: summary }],
    paths: Object.fromEntries(
      tools.map((tool) => [
        `${toolRoot(service, formulation)}/${tool.name}`,
        { post: operation(tool, shared.bodyOf(tool), style) },
      ]),
    ),
    components: {
      securitySchemes: SECURITY_SCHEMES,
      parameters: PARAMETERS,
      schemas: { ...shared.schemas, ToolAnswer: schemaOf(toolAnswer), Problem: schemaOf(problem) },
      ...(Object.keys(shared.requestBodies).length > 0 ? { requestBodies: shared.requestBodies } : {}),
      responses: RESPONSES,
    },
  };
}

function operation({ name, description }: ToolSpec, body: object, tag: string) {
  return {
    operationId: name,
    summary: name.replaceAll('_', ' '),
    description,
    tags: [tag],
    parameters: Object.keys(PARAMETERS).map((each) => ({ $ref: `#/components/parameters/${each}` })),
    requestBody: body,
    responses: RESPONSE_REFERENCES,
  };
}

const PARAMETERS = {
  preview: parameter('preview', 'rows shown of a table; 0: none, and they are not counted either', {
    minimum: 0,
    maximum: MAX_PREVIEW_ROWS,
    default: 3,
  }),
  offset: parameter('offset', 'how many values of a column to skip', { minimum: 0, default: 0 }),
  limit: parameter('limit', 'how many values of a column to show at most', {
    minimum: 1,
    default: DEFAULT_VALUES,
  }),
};

function parameter(name: string, description: string, bounds: Readonly<Record<string, number>>) {
  return { name, in: 'query', required: false, description, schema: { type: 'integer', ...bounds } };
}

function problemResponse(text: string, codes: readonly HttpErrorCode[]) {
  return {
    description: `${text} ${codes.map((code) => `${ERRORS[code].status} ${code}: ${ERRORS[code].title}.`).join(' ')}`,
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
  };
}

const isBadRequest = (code: HttpErrorCode) => ERRORS[code].status === 400;

const RESPONSES = {
  Made: {
    description: 'What the call made.',
    content: { 'application/json': { schema: { $ref: '#/components/schemas/ToolAnswer' } } },
  },
  BadRequest: problemResponse('The arguments are wrong.', CODES.filter(isBadRequest)),
  Problem: problemResponse(
    'The call made nothing.',
    CODES.filter((code) => !isBadRequest(code)),
  ),
};

const RESPONSE_REFERENCES = {
  '200': { $ref: '#/components/responses/Made' },
  '400': { $ref: '#/components/responses/BadRequest' },
  default: { $ref: '#/components/responses/Problem' },
};

/** The schema of a single value. */
const OPERAND = simplify(schemaOf(operand));

/** A schema of the input, without bounds that only describe JavaScript's numbers. */
function schemaOf(schema: z.ZodType): JsonSchema {
  const { $schema: _dialect, ...json } = toJsonSchema(schema) as JsonSchema;
  return mapSchema(json, ({ minimum, maximum, ...rest }) => ({
    ...rest,
    ...(minimum === undefined || minimum === Number.MIN_SAFE_INTEGER ? {} : { minimum }),
    ...(maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? {} : { maximum }),
  }));
}
