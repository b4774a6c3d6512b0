import { licenceObject } from '../../../contracts/data-licence.ts';
import { domainPath } from '../../../contracts/domain-path.ts';
import { toJsonSchema } from '../../../contracts/json-schema.ts';
import { AMBIGUOUS_PLACE } from '../../../contracts/plan.ts';
import { problem } from '../../../contracts/problem.ts';
import type { Service } from '../../../contracts/service.ts';
import { CONTACT, SECURITY, SECURITY_SCHEMES } from '../../base/http/openapi-parts.ts';
import { PLACE_APIS } from '../../base/scalars/place-apis.ts';
import { SCALAR_APIS } from '../../base/scalars/registry.ts';
import type { ScalarApi } from '../../base/scalars/scalar-api.ts';
import type { JsonSchema } from '../live-tools/toolset/json-schema.ts';

/** The scalar APIs of a domain as an OpenAPI 3.1 document. */
export function scalarsOpenapi({ split, db, title }: Pick<Service, 'split' | 'db' | 'title'>) {
  const root = `${domainPath(split, db)}/scalars`;
  const { $schema: _dialect, ...problemSchema } = toJsonSchema(problem) as JsonSchema;
  return {
    openapi: '3.1.0',
    info: {
      title: `${title}: scalar APIs`,
      version: '1',
      summary: 'Values of texts, numbers and places',
      description: `Each API answers one value. Places are those that the tables of ${title} tell of.`,
      contact: CONTACT,
      license: licenceObject('Apache-2.0'),
    },
    servers: [{ url: '/', description: `The host that this file comes from; ${split}/${db}` }],
    security: SECURITY,
    paths: Object.fromEntries(
      SCALAR_APIS.flatMap((api) => [
        [`${root}/${api.name}`, { get: getOf(api), post: postOf(api) }],
        [`${root}/${api.name}/batch`, { post: batchOf(api) }],
      ]),
    ),
    components: { securitySchemes: SECURITY_SCHEMES, schemas: { Problem: problemSchema } },
  };
}

/** The inputs of an API as a JSON Schema. */
export function inputSchema({ inputs }: ScalarApi) {
  return {
    type: 'object' as const,
    properties: Object.fromEntries(inputs.map((input) => [input.name, schemaOf(input)])),
    required: inputs.filter(({ usual }) => usual === undefined).map(({ name }) => name),
    additionalProperties: false,
  };
}

function schemaOf({ type, description, values, usual }: ScalarApi['inputs'][number]): JsonSchema {
  return {
    type,
    description,
    ...(values ? { enum: values } : {}),
    ...(usual === undefined ? {} : { default: usual }),
  };
}

/** The value is null where an input is, or where a place is known and this of it is not. */
function answerOf({ name: api, inputs, output }: ScalarApi): JsonSchema {
  return {
    type: 'object',
    properties: {
      ...Object.fromEntries(inputs.map(({ name }) => [name, { type: ['string', 'number', 'null'] }])),
      ...(PLACE_NAMES.has(api) ? { [AMBIGUOUS_PLACE]: CHOSEN } : {}),
      [output.name]: { type: [output.type, 'null'] },
    },
    required: [output.name],
  };
}

const PLACE_NAMES = new Set(PLACE_APIS.map(({ name }) => name));
const CHOSEN: JsonSchema = {
  type: 'boolean',
  description: 'Whether several places of the world have that name, and the largest is meant; else left out.',
};

const PROBLEM = {
  description: 'There is no answer.',
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
};

function responses(schema: JsonSchema) {
  return {
    200: { description: 'The value.', content: { 'application/json': { schema } } },
    default: PROBLEM,
  };
}

function getOf(api: ScalarApi) {
  return {
    operationId: `get_${api.name}`,
    summary: api.description,
    parameters: api.inputs.map((input) => {
      const { description, ...schema } = schemaOf(input);
      return { name: input.name, in: 'query', required: input.usual === undefined, description, schema };
    }),
    responses: responses(answerOf(api)),
  };
}

function postOf(api: ScalarApi) {
  return {
    operationId: `post_${api.name}`,
    summary: api.description,
    requestBody: { required: true, content: { 'application/json': { schema: inputSchema(api) } } },
    responses: responses(answerOf(api)),
  };
}

function batchOf(api: ScalarApi) {
  const list = (items: JsonSchema) => ({ type: 'array', items });
  return {
    operationId: `batch_${api.name}`,
    summary: `${api.description} For a list of inputs, in its order.`,
    requestBody: { required: true, content: { 'application/json': { schema: list(inputSchema(api)) } } },
    responses: responses(list(answerOf(api))),
  };
}
