import type { z } from 'zod';
import { ERRORS, type HttpErrorCode } from '../../../../contracts/errors.ts';
import { FORMULATIONS } from '../../../../contracts/formulations/registry.ts';
import { toolRoot } from '../../../../contracts/formulations/tool-chain.ts';
import { toJsonSchema } from '../../../../contracts/json-schema.ts';
import { problem } from '../../../../contracts/problem.ts';
import type { Service } from '../../../../contracts/service.ts';
import { operand, toolAnswer } from '../../../../contracts/tools.ts';
import { MAX_PREVIEW_ROWS } from '../answers/view.ts';
import type { ToolFormulation } from '../toolboxes/toolboxes.ts';
import { simplify } from './arguments-schema.ts';
import { type JsonSchema, mapSchema } from './json-schema.ts';
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
  service: Pick<Service, 'split' | 'db' | 'title'>,
  formulation: ToolFormulation,
  tools: readonly ToolSpec[],
) {
  const { split, db, title } = service;
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
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: `The host that this file comes from; ${split}/${db}` }],
    tags: [{ name: style, description: summary }],
    paths: Object.fromEntries(
      tools.map((tool) => [
        `${toolRoot(service, formulation)}/${tool.name}`,
        { post: operation(tool, style) },
      ]),
    ),
    components: {
      parameters: PARAMETERS,
      schemas: { Operand: OPERAND, ToolAnswer: schemaOf(toolAnswer), Problem: schemaOf(problem) },
      responses: problemResponses(),
    },
  };
}

function operation({ name, description, parameters }: ToolSpec, tag: string) {
  return {
    operationId: name,
    summary: name.replaceAll('_', ' '),
    description,
    tags: [tag],
    parameters: Object.keys(PARAMETERS).map((each) => ({ $ref: `#/components/parameters/${each}` })),
    requestBody: { required: true, content: { 'application/json': { schema: shareOperands(parameters) } } },
    responses: {
      '200': {
        description: 'What the call made.',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/ToolAnswer' } } },
      },
      ...Object.fromEntries(
        statuses().map(([status]) => [status, { $ref: `#/components/responses/${nameOf(status)}` }]),
      ),
    },
  };
}

const PARAMETERS = {
  preview: parameter('preview', 'rows shown of a table; 0: none, and they are not counted either', {
    minimum: 0,
    maximum: MAX_PREVIEW_ROWS,
    default: 3,
  }),
  offset: parameter('offset', 'how many values of a column to skip', { minimum: 0, default: 0 }),
  limit: parameter('limit', 'how many values of a column to show at most', { minimum: 1 }),
};

function parameter(name: string, description: string, bounds: Readonly<Record<string, number>>) {
  return { name, in: 'query', required: false, description, schema: { type: 'integer', ...bounds } };
}

/** The statuses of problems, each with its codes, in order. */
function statuses(): [status: string, codes: HttpErrorCode[]][] {
  const byStatus = new Map<string, HttpErrorCode[]>();
  for (const code of CODES) {
    const status = String(ERRORS[code].status);
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return [...byStatus].sort(([a], [b]) => Number(a) - Number(b));
}

const nameOf = (status: string) => `Problem${status}`;

function problemResponses() {
  return Object.fromEntries(
    statuses().map(([status, codes]) => [
      nameOf(status),
      {
        description: codes.map((code) => `${code}: ${ERRORS[code].title}`).join('. '),
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    ]),
  );
}

/** The schema of a single value: most tools use it somewhere, some in twenty places. */
const OPERAND = simplify(schemaOf(operand));

/** The schema with a reference wherever an operand is allowed. */
function shareOperands(schema: JsonSchema): JsonSchema {
  const wanted = JSON.stringify(OPERAND.anyOf);
  const most = OPERAND.anyOf?.length ?? 0;
  const reference = { $ref: '#/components/schemas/Operand' };
  return mapSchema(schema, ({ anyOf, ...rest }) => {
    if (!anyOf) return rest;
    if (JSON.stringify(anyOf.slice(0, most)) !== wanted) return { ...rest, anyOf };
    return anyOf.length === most
      ? { ...rest, ...reference }
      : { ...rest, anyOf: [reference, ...anyOf.slice(most)] };
  });
}

/** A schema of the input, without bounds that only describe JavaScript's numbers. */
function schemaOf(schema: z.ZodType): JsonSchema {
  const { $schema: _dialect, ...json } = toJsonSchema(schema) as JsonSchema;
  return mapSchema(json, ({ minimum, maximum, ...rest }) => ({
    ...rest,
    ...(minimum === undefined || minimum === Number.MIN_SAFE_INTEGER ? {} : { minimum }),
    ...(maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? {} : { maximum }),
  }));
}
