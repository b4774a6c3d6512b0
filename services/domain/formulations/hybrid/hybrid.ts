import { openapiFile } from '../../../../contracts/openapi-file.ts';
import { printShare } from '../../../../contracts/share.ts';
import { hybridAnswerSchema } from '../../hybrid/answer-schema.ts';
import { hybridOpenapi } from '../../hybrid/openapi.ts';
import { hybridRoutes } from '../../hybrid/routes.ts';
import { hiddenTools, hybridToolSpecs } from '../../hybrid/tool-specs.ts';
import type { ServedFormulation } from '../contract/served-formulation.ts';

/** SQL over the tables that a farm leaves visible, APIs for those that it hides, and SQL over both. */
export const hybrid: ServedFormulation = {
  routes: hybridRoutes,
  tools: (service, _startTables, view) => hybridToolSpecs(service, view?.variant),
  toolset: (service) => ({
    path: `/openapi/${openapiFile(service.db, 'hybrid')}`,
    size: hybridToolSpecs(service).length,
  }),
  answerSchema: (_service, tool) => hybridAnswerSchema(tool),
  subjectOf: (service, tool) =>
    hiddenTools(service).find(({ name }) => name === tool)?.api.table.name ?? null,
  openapi: (service) => hybridOpenapi(service),
  readCall(service, { path, readBody }) {
    const [kind, share, tool] = path;
    if (path.length !== 3 || kind !== 'hybrid' || tool === undefined) return null;
    // What another share hides is not for the task.
    if (service?.hidden?.every((own) => printShare(own) !== share)) return null;
    return { method: 'POST', name: tool, arguments: readBody, view: '' };
  },
};
