import type { Endpoint, EndpointParameter, Service } from '../../contracts/service.ts';
import type { PropertySchema, ToolSchema, ToolUniverse } from './tool-universe.ts';

/** The REST tools of a farm, one an endpoint, from the services' descriptions. */
export function restUniverse(services: Iterable<Service>): ToolUniverse {
  const tools = new Map<string, ReadonlyMap<string, ToolSchema>>();
  for (const { db, endpoints } of services) {
    tools.set(db, new Map(endpoints.map((endpoint) => [endpoint.operation_id, toTool(endpoint)])));
  }
  return { toolsFor: ({ dataset_name }) => tools.get(dataset_name) ?? new Map() };
}

function toTool(endpoint: Endpoint): ToolSchema {
  return {
    description: endpoint.description || endpoint.summary,
    path: endpoint.path,
    columns: endpoint.columns.map(({ name }) => name),
    required: endpoint.parameters.map(({ name }) => name),
    properties: Object.fromEntries(
      endpoint.parameters.map((parameter) => [parameter.name, toProperty(parameter)]),
    ),
  };
}

function toProperty({ type, array, description }: EndpointParameter): PropertySchema {
  return array ? { type: 'array', items: { type }, description } : { type, description };
}
