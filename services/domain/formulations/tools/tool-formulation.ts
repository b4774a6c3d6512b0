import { toolRoutes } from '../../live-tools/routes.ts';
import type { ToolFormulation } from '../../live-tools/toolboxes/toolboxes.ts';
import { openapiOfTools } from '../../live-tools/toolset/openapi.ts';
import { toolsetRoutes } from '../../live-tools/toolset/routes.ts';
import { TOOL_ANSWER_SCHEMA } from '../../live-tools/toolset/tool-answer-schema.ts';
import { generalTools, toolsetFor, toolsetSize } from '../../live-tools/toolset/toolset-for.ts';
import { toolsetPath } from '../../live-tools/toolset/toolset-path.ts';
import type { ServedFormulation } from '../contract/served-formulation.ts';

/** A formulation whose calls are tools on handles: its tools are defined in live-tools/toolboxes/. */
export function toolFormulation(name: ToolFormulation): ServedFormulation {
  return {
    routes(app, context) {
      toolRoutes(app, context, name);
      toolsetRoutes(app, context, name);
    },
    tools: (service, startTables) =>
      startTables.length === 0 ? generalTools(service, name) : toolsetFor(service, name, startTables),
    toolset: (service, startTables) => ({
      path: toolsetPath(service, name, startTables),
      size: toolsetSize(service, name, startTables),
    }),
    answerSchema: () => TOOL_ANSWER_SCHEMA,
    subjectOf: () => null,
    openapi: (service) => openapiOfTools(service, name, generalTools(service, name)),
    readCall(_service, { path, query, readBody }) {
      const [kind, tool] = path;
      if (path.length !== 2 || kind !== name || tool === undefined) return null;
      return { method: 'POST', name: tool, arguments: readBody, view: query.toString() };
    },
  };
}
