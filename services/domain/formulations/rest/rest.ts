import { openapiFile } from '../../../../contracts/openapi-file.ts';
import type { Endpoint, Service } from '../../../../contracts/service.ts';
import { restHandler } from '../../rest/handler.ts';
import { readEndpointPath } from '../../rest/read-endpoint-path.ts';
import type { ServedFormulation } from '../contract/served-formulation.ts';
import { mainTable } from './openapi/main-table.ts';
import { restOpenapi } from './openapi/rest-openapi.ts';
import { queryArguments } from './query-arguments.ts';
import { restAnswerSchema } from './rest-answer-schema.ts';
import { restTools } from './rest-tools.ts';

/** REST: all endpoints are data behind one route. */
export const rest: ServedFormulation = {
  routes(app, context) {
    const handler = restHandler(context);
    app.get('/v1/:split/:db/:endpoint', { config: { kind: 'rest' } }, handler);
    app.get('/v1/:split/:db/:nouns/:value/*', { config: { kind: 'rest' } }, handler);
  },
  tools: (service) => restTools(service),
  toolset: ({ db, endpoints }) => ({ path: `/openapi/${openapiFile(db, 'rest')}`, size: endpoints.length }),
  answerSchema: (service, tool) => restAnswerSchema(endpointOf(service, tool)),
  subjectOf: (service, tool) => mainTable(endpointOf(service, tool), service.catalog),
  openapi: restOpenapi,
  readCall(service, { path, query }) {
    const name = path.at(-1);
    if (name === undefined) return null;
    const endpoint = service?.endpoints.find((each) => each.name === name);
    const inPath = readEndpointPath(endpoint, path);
    if (inPath === null) return null;
    const given = new URLSearchParams([...Object.entries(inPath), ...query]);
    return {
      method: 'GET',
      name: endpoint?.operation_id ?? null,
      arguments: () => (endpoint ? queryArguments(endpoint, given) : {}),
      view: '',
    };
  },
};

function endpointOf({ db, endpoints }: Service, tool: string): Endpoint {
  const endpoint = endpoints.find(({ operation_id }) => operation_id === tool);
  if (!endpoint) throw new Error(`${db} has no endpoint ${tool}`);
  return endpoint;
}
