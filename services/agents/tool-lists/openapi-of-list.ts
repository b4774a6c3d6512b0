import type { z } from 'zod';
import { toJsonSchema } from '../../../contracts/json-schema.ts';
import { packageVersion } from '../../../contracts/package-root.ts';
import { problem } from '../../../contracts/problem.ts';
import type { Endpoint } from '../../../contracts/service.ts';
import { toolAnswer } from '../../../contracts/tools.ts';
import type { JsonSchema } from '../../domain/live-tools/toolset/json-schema.ts';
import type { ToolSpec } from '../../domain/live-tools/toolset/tool-spec.ts';
import { restAnswerSchema } from './rest-answer-schema.ts';
import type { ToolList } from './tool-list.ts';

/**
 * A list of tools as an OpenAPI 3.1 document whose server is the list's own address. REST endpoints that are not
 * obfuscated keep their paths; everything else is a POST of the arguments to `/call/<name>`.
 */
export function openapiOfList(list: ToolList, base: string) {
  const { service, formulation } = list.source;
  const endpoints = new Map(service.endpoints.map((endpoint) => [endpoint.operation_id, endpoint]));
  const paths = list.tools.map((tool, at) => {
    const endpoint = formulation === 'rest' ? endpoints.get(list.realNames[at] as string) : undefined;
    if (endpoint && !list.options.obfuscate) return [endpoint.path, { get: getOperation(tool, endpoint) }];
    return [`/call/${tool.name}`, { post: callOperation(tool, endpoint) }];
  });
  return {
    openapi: '3.1.0',
    info: {
      title: `${service.title}: ${list.tools.length} ${formulation.toUpperCase()} tools`,
      version: packageVersion,
    },
    'x-tools-checksum': list.checksum,
    servers: [{ url: base }],
    paths: Object.fromEntries(paths),
    components: { schemas: { ToolAnswer: schemaOf(toolAnswer), Problem: schemaOf(problem) } },
  };
}

function getOperation(tool: ToolSpec, endpoint: Endpoint) {
  return {
    ...described(tool),
    parameters: Object.entries(tool.parameters.properties).map(([name, { description, ...schema }]) => ({
      name,
      in: 'query',
      required: tool.parameters.required.includes(name),
      ...(description === undefined ? {} : { description }),
      schema,
      ...(schema.type === 'array' ? { style: 'form', explode: true } : {}),
    })),
    responses: responses(restAnswerSchema(endpoint)),
  };
}

function callOperation(tool: ToolSpec, endpoint: Endpoint | undefined) {
  return {
    ...described(tool),
    requestBody: { required: true, content: { 'application/json': { schema: tool.parameters } } },
    responses: responses(endpoint ? restAnswerSchema(endpoint) : { $ref: '#/components/schemas/ToolAnswer' }),
  };
}

function described({ name, description }: ToolSpec) {
  return { operationId: name, ...(description === '' ? {} : { description }) };
}

function responses(answer: JsonSchema) {
  return {
    '200': { description: 'The answer.', content: { 'application/json': { schema: answer } } },
    default: {
      description: 'What is wrong with the call.',
      content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
    },
  };
}

function schemaOf(schema: z.ZodType): JsonSchema {
  const { $schema: _dialect, ...json } = toJsonSchema(schema) as JsonSchema;
  return json;
}
