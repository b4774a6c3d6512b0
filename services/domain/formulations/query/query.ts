import { openapiFile } from '../../../../contracts/openapi-file.ts';
import type { Service } from '../../../../contracts/service.ts';
import { QUERY_ANSWER_SCHEMA } from '../../query-tool/answer-schema.ts';
import { domainCollections } from '../../query-tool/domain-collections.ts';
import { queryOpenapi } from '../../query-tool/openapi.ts';
import { queryRoutes } from '../../query-tool/routes.ts';
import { queryToolSpec, queryToolSpecs } from '../../query-tool/tool-spec.ts';
import type { ServedFormulation } from '../contract/served-formulation.ts';

/** One declarative tool for a whole domain, made from its catalog. */
export const query: ServedFormulation = {
  routes: queryRoutes,
  tools: (service, _startTables, view) => queryToolSpecs(domainCollections(service), view),
  toolset: ({ db }) => ({ path: `/openapi/${openapiFile(db, 'query')}`, size: 1 }),
  answerSchema: () => QUERY_ANSWER_SCHEMA,
  subjectOf: () => null,
  openapi: (service) => queryOpenapi(service, toolOf(service)),
  readCall(_service, { path, readBody }) {
    const [kind, tool] = path;
    if (path.length !== 2 || kind !== 'query' || tool === undefined) return null;
    return { method: 'POST', name: tool, arguments: readBody, view: '' };
  },
};

function toolOf(service: Service) {
  return queryToolSpec(domainCollections(service));
}
