import { openapiFile } from '../../../../contracts/openapi-file.ts';
import { hybridAnswerSchema } from '../../hybrid/answer-schema.ts';
import { hybridOpenapi } from '../../hybrid/openapi.ts';
import { hybridRoutes } from '../../hybrid/routes.ts';
import { hiddenTools, hybridToolSpecs } from '../../hybrid/tool-specs.ts';
import type { ServedFormulation } from '../contract/served-formulation.ts';

/** SQL over the tables that a farm leaves visible, APIs for those that it hides, and SQL over both. */
export const hybrid: ServedFormulation = {
  routes: hybridRoutes,
  tools: (service) => hybridToolSpecs(service),
  toolset: (service) => ({
    path: `/openapi/${openapiFile(service.db, 'hybrid')}`,
    size: hybridToolSpecs(service).length,
  }),
  answerSchema: (_service, tool) => hybridAnswerSchema(tool),
  subjectOf: (service, tool) =>
    hiddenTools(service).find(({ name }) => name === tool)?.api.table.name ?? null,
  openapi: (service) => hybridOpenapi(service, hybridToolSpecs(service)),
  readCall(_service, { path, readBody }) {
    const [kind, tool] = path;
    if (path.length !== 2 || kind !== 'hybrid' || tool === undefined) return null;
    return { method: 'POST', name: tool, arguments: readBody, view: '' };
  },
};
