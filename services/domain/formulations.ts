import { printShare } from '../../contracts/hybrid.ts';
import type { Formulation } from '../../contracts/sample.ts';
import { exactValue } from '../base/http/json.ts';
import { answerHybridCall, hybridRoutes } from './hybrid/hybrid-routes.ts';
import { hiddenTools, hybridAnswerSchema, hybridOpenapi, hybridToolSpecs } from './hybrid/hybrid-tools.ts';
import { domainCollections } from './query/collections.ts';
import {
  answerQueryTool,
  QUERY_ANSWER_SCHEMA,
  queryOpenapi,
  queryRoutes,
  queryToolSpec,
  queryToolSpecs,
} from './query/query-tool.ts';
import { actions } from './records/actions.ts';
import { records } from './records/records.ts';
import { rest } from './rest/rest.ts';
import { toolAnswers, toolRoutes } from './tools/live-tools.ts';
import { domainToolset, postedCall, type ServedFormulation } from './tools/tool-spec.ts';
import type { ToolFormulation } from './tools/toolboxes.ts';
import {
  generalTools,
  TOOL_ANSWER_SCHEMA,
  toolsetFor,
  toolsetPath,
  toolsetSize,
} from './tools/toolset-for.ts';
import { openapiOfTools, toolsetRoutes } from './tools/toolset-routes.ts';

/** SQL over visible tables, APIs for hidden ones, and SQL over both. */
export const hybrid: ServedFormulation = {
  routes: hybridRoutes,
  answer: answerHybridCall,
  tools: (service, _startTables, view) => hybridToolSpecs(service, view?.variant),
  toolset: (service) => domainToolset(service, 'hybrid', hybridToolSpecs(service).length),
  answerSchema: (_service, tool) => hybridAnswerSchema(tool),
  subjectOf: (service, tool) =>
    hiddenTools(service).find(({ name }) => name === tool)?.api.table.name ?? null,
  openapi: (service) => hybridOpenapi(service),
  readCall(service, { path, readBody }) {
    const [kind, share, tool] = path;
    if (path.length !== 3 || kind !== 'hybrid' || tool === undefined) return null;
    // Tables that only another share hides are not part of the task.
    if (service?.hidden?.every((own) => printShare(own) !== share)) return null;
    return { method: 'POST', name: tool, arguments: readBody, view: '' };
  },
};

/** One declarative tool per domain, built from its catalog. */
export const query: ServedFormulation = {
  routes: queryRoutes,
  answer: (context, { domain, name, arguments: args }, asker) =>
    answerQueryTool(context, domain, name, exactValue(args ?? {}), asker),
  tools: (service, _startTables, view) => queryToolSpecs(domainCollections(service), view),
  toolset: (service) => domainToolset(service, 'query', 1),
  answerSchema: () => QUERY_ANSWER_SCHEMA,
  subjectOf: () => null,
  openapi: (service) => queryOpenapi(service, queryToolSpec(domainCollections(service))),
  readCall: (_service, address) => postedCall('query', address),
};

/** A formulation whose calls are tools on handles, which toolboxes.ts defines. */
function toolFormulation(name: ToolFormulation): ServedFormulation {
  return {
    routes(app, context) {
      toolRoutes(app, context, name);
      toolsetRoutes(app, context, name);
    },
    answer: toolAnswers(name),
    tools: (service, startTables) =>
      startTables.length === 0 ? generalTools(service, name) : toolsetFor(service, name, startTables),
    toolset: (service, startTables) => ({
      path: toolsetPath(service, name, startTables),
      size: toolsetSize(service, name, startTables),
    }),
    answerSchema: () => TOOL_ANSWER_SCHEMA,
    subjectOf: () => null,
    openapi: (service) => openapiOfTools(service, name, generalTools(service, name)),
    readCall: (_service, address) => postedCall(name, address, address.query.toString()),
  };
}

export const SERVED_FORMULATIONS: Readonly<Record<Formulation, ServedFormulation>> = {
  rest,
  slot: toolFormulation('slot'),
  sel: toolFormulation('sel'),
  query,
  hybrid,
  records,
  actions,
};
