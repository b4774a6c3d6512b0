import { licenceObject } from '../../../contracts/data-licence.ts';
import { ERRORS, type HttpErrorCode } from '../../../contracts/errors.ts';
import { hybrid } from '../../../contracts/formulations/hybrid.ts';
import { toJsonSchema } from '../../../contracts/json-schema.ts';
import { problem } from '../../../contracts/problem.ts';
import type { Service } from '../../../contracts/service.ts';
import { atShare, type HiddenShare, printShare } from '../../../contracts/share.ts';
import { CONTACT, SECURITY, SECURITY_SCHEMES } from '../../base/http/openapi-parts.ts';
import type { JsonSchema } from '../live-tools/toolset/json-schema.ts';
import type { ToolSpec } from '../live-tools/toolset/tool-spec.ts';
import { hybridAnswerSchema } from './answer-schema.ts';
import { hybridToolSpecs } from './tool-specs.ts';

const CODES = [
  'INVALID_PARAMETERS',
  'BAD_REQUEST',
  'UNKNOWN_TOOL',
  'UNKNOWN_DOMAIN',
  'UNBOUND_API_INPUT',
  'PLAN_TOO_LARGE',
  'QUERY_FAILED',
  'QUERY_TOO_COMPLEX',
  'API_FAILED',
  'OVERLOADED',
  'QUERY_TIMEOUT',
  'INTERNAL',
] as const satisfies HttpErrorCode[];

/** The hybrid tools of a domain, at each of its shares, as an OpenAPI 3.1 document. */
export function hybridOpenapi(service: Service) {
  const { title, split, db, data_licence, hidden = [] } = service;
  const { $schema: _dialect, ...problemSchema } = toJsonSchema(problem) as JsonSchema;
  return {
    openapi: '3.1.0',
    info: {
      title: `${title}: ${hybrid.title} tools`,
      version: '1',
      summary: hybrid.summary,
      description:
        'A share of the tables is behind APIs; SQL sees the others, or all. The share stands in the path.',
      contact: CONTACT,
      license: licenceObject(data_licence),
    },
    servers: [{ url: '/', description: `The host that this file comes from; ${split}/${db}` }],
    security: SECURITY,
    tags: [{ name: hybrid.title, description: hybrid.summary }],
    paths: Object.fromEntries(
      hidden.flatMap((share) => {
        const own = atShare(service, share);
        return hybridToolSpecs(own).map((tool) => [
          hybrid.routeOf(own, tool.name).path,
          operation(tool, hidden.length > 1 ? share : null),
        ]);
      }),
    ),
    components: { securitySchemes: SECURITY_SCHEMES, schemas: { Problem: problemSchema } },
  };
}

/** Each share has tools of the same names, but ids of operations are unique in a document. */
function operation(tool: ToolSpec, share: HiddenShare | null) {
  const summary = tool.name.replaceAll('_', ' ');
  return {
    post: {
      operationId: share ? `${tool.name}_at_${printShare(share).replace('-', '_')}` : tool.name,
      summary: share ? `${summary}, ${share.share} % of the tables behind APIs` : summary,
      description: tool.description,
      tags: [hybrid.title],
      requestBody: {
        required: true,
        content: { 'application/json': { schema: tool.parameters } },
      },
      responses: {
        200: {
          description: 'The rows.',
          content: { 'application/json': { schema: hybridAnswerSchema(tool.name) } },
        },
        400: problemResponse('The arguments are wrong.', (status) => status === 400),
        default: problemResponse('There is no answer.', (status) => status !== 400),
      },
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
