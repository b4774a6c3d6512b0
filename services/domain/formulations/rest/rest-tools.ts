import type { Endpoint, EndpointParameter, Service } from '../../../../contracts/service.ts';
import type { JsonSchema } from '../../live-tools/toolset/json-schema.ts';
import type { ToolSpec } from '../../live-tools/toolset/tool-spec.ts';

/** The endpoints of a domain as tools, in its order. */
export function restTools({ endpoints }: Service): ToolSpec[] {
  return endpoints.map((endpoint) => ({
    name: endpoint.operation_id,
    description: describe(endpoint),
    parameters: {
      type: 'object',
      properties: Object.fromEntries(endpoint.parameters.map((each) => [each.name, schemaOf(each)])),
      required: endpoint.parameters.map(({ name }) => name),
      additionalProperties: false,
    },
  }));
}

function describe({ summary, description }: Endpoint): string {
  if (description === '' || description === summary) return summary;
  return description.startsWith(summary) ? description : `${summary.replace(/\.?$/, '.')} ${description}`;
}

function schemaOf({ type, array, description }: EndpointParameter): JsonSchema {
  return array ? { type: 'array', items: { type }, description } : { type, description };
}
