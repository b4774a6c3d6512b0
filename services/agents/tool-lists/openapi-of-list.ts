import type { z } from 'zod';
import { licenceObject } from '../../../contracts/data-licence.ts';
import { FORMULATIONS } from '../../../contracts/formulations/registry.ts';
import { toJsonSchema } from '../../../contracts/json-schema.ts';
import { packageVersion } from '../../../contracts/package-root.ts';
import { pathParameters } from '../../../contracts/path-template.ts';
import { ANSWER_FORMAT } from '../../../contracts/prediction.ts';
import { problem } from '../../../contracts/problem.ts';
import { toolAnswer } from '../../../contracts/tools.ts';
import { CONTACT, SECURITY, SECURITY_SCHEMES } from '../../base/http/openapi-parts.ts';
import type { JsonSchema } from '../../domain/live-tools/toolset/json-schema.ts';
import type { ToolSpec } from '../../domain/live-tools/toolset/tool-spec.ts';
import { shownAnswerSchema } from './shown-answer-schema.ts';
import type { ToolList } from './tool-list.ts';

/**
 * A list of tools as an OpenAPI 3.1 document whose server is the list's own address. What is called by GET and not
 * obfuscated keeps its path; everything else is a POST of the arguments to `/call/<name>`.
 */
export function openapiOfList(list: ToolList, base: string) {
  const { service, formulation } = list.source;
  const { title, summary, calls, routeOf } = FORMULATIONS[formulation];
  const paths = list.tools.map((tool): [string, object] => {
    if (list.options.via === 'search')
      return [`/call/${tool.name}`, { post: callOperation(tool, shownAnswerSchema(list, tool.name), title) }];
    const placed = list.placed(tool.name);
    const { method, path } = routeOf(placed.service, placed.name);
    const answer =
      calls === 'chain' ? { $ref: '#/components/schemas/ToolAnswer' } : list.answerSchema(tool.name);
    return method === 'GET' && !list.options.obfuscate
      ? [
          list.shownPath(placed.service, path),
          { get: getOperation(tool, pathParameters(path), answer, title) },
        ]
      : [`/call/${tool.name}`, { post: callOperation(tool, answer, title) }];
  });
  return {
    openapi: '3.1.0',
    info: {
      title: `${list.origin.title}: ${list.tools.length} ${title} tools`,
      version: packageVersion,
      description: [
        'The tools that an agent is offered, at the address of their list.',
        list.source.task && ANSWER_FORMAT,
      ]
        .filter(Boolean)
        .join('\n'),
      contact: CONTACT,
      license: licenceObject(service.data_licence),
    },
    'x-tools-checksum': list.checksum,
    servers: [{ url: base }],
    security: SECURITY,
    tags: [{ name: title, description: summary }],
    paths: Object.fromEntries(paths),
    components: {
      securitySchemes: SECURITY_SCHEMES,
      schemas: {
        ...(calls === 'chain' ? { ToolAnswer: schemaOf(toolAnswer) } : {}),
        Problem: schemaOf(problem),
      },
      responses: { Problem: PROBLEM },
    },
  };
}

const PROBLEM = {
  description: 'What is wrong with the call.',
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
};

function getOperation(tool: ToolSpec, inPath: readonly string[], answer: JsonSchema, tag: string) {
  return {
    ...described(tool, tag),
    parameters: Object.entries(tool.parameters.properties).map(([name, { description, ...schema }]) => ({
      name,
      in: inPath.includes(name) ? 'path' : 'query',
      required: tool.parameters.required.includes(name),
      ...(description === undefined ? {} : { description }),
      schema,
      ...(schema.type === 'array' ? { style: 'form', explode: true } : {}),
    })),
    responses: responses(answer),
  };
}

function callOperation(tool: ToolSpec, answer: JsonSchema, tag: string) {
  return {
    ...described(tool, tag),
    requestBody: { required: true, content: { 'application/json': { schema: tool.parameters } } },
    responses: responses(answer),
  };
}

function described({ name, description }: ToolSpec, tag: string) {
  return {
    operationId: name,
    tags: [tag],
    summary: name.replaceAll('_', ' '),
    ...(description === '' ? {} : { description }),
  };
}

function responses(answer: JsonSchema) {
  return {
    '200': { description: 'The answer.', content: { 'application/json': { schema: answer } } },
    '400': { $ref: '#/components/responses/Problem' },
    default: { $ref: '#/components/responses/Problem' },
  };
}

function schemaOf(schema: z.ZodType): JsonSchema {
  const { $schema: _dialect, ...json } = toJsonSchema(schema) as JsonSchema;
  return json;
}
