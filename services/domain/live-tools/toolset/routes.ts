import type { FastifyInstance } from 'fastify';
import type { StartTable } from '../../../../contracts/start-table.ts';
import { didYouMean, nearestNames } from '../../../../contracts/wording.ts';
import { etagOf, isFresh } from '../../../base/http/etag.ts';
import { HttpProblem } from '../../../base/http/problem.ts';
import type { ServedDomain } from '../../runtime/served-domain.ts';
import type { ToolContext } from '../tool-context.ts';
import type { ToolFormulation } from '../toolboxes/toolboxes.ts';
import { anthropicStrictTools } from './anthropic-strict.ts';
import { anthropicTools, geminiTools, mcpTools, openaiTools } from './formats.ts';
import { offeredColumns } from './offered-columns.ts';
import { openapiOfTools } from './openapi.ts';
import { TOOL_ANSWER_SCHEMA } from './tool-answer-schema.ts';
import type { ToolSpec } from './tool-spec.ts';
import { toolsetFor } from './toolset-for.ts';

type Emit = (tools: readonly ToolSpec[], domain: ServedDomain, formulation: ToolFormulation) => unknown;

/** What `format` may be. */
const FORMATS: Readonly<Record<string, Emit>> = {
  openapi: (tools, { service }, formulation) => openapiOfTools(service, formulation, tools),
  openai: openaiTools,
  anthropic: anthropicTools,
  'anthropic-strict': anthropicStrictTools,
  gemini: geminiTools,
  mcp: (tools) => ({ tools: mcpTools(tools, () => TOOL_ANSWER_SCHEMA) }),
};

const QUERY_NAMES = ['start_table', 'format'];

/**
 * `GET /v1/:split/:db/<formulation>/toolset?start_table=<handle>,…&format=openapi|openai|anthropic|anthropic-strict|gemini|mcp`: the tools for a
 * task that begins from these start tables; and `…/start_tables`: those that the farm knows, with their columns.
 */
export function toolsetRoutes(
  app: FastifyInstance,
  context: ToolContext,
  formulation: ToolFormulation,
): void {
  const serve = (name: string, emit: (domain: ServedDomain, query: Query) => Promise<unknown>) =>
    app.get(
      `/v1/:split/:db/${formulation}/${name}`,
      { config: { kind: 'toolset' } },
      async (request, reply) => {
        const { split, db } = request.params as { split: string; db: string };
        const domain = context.domains.get(split, db);
        const etag = etagOf(domain.version, request.url);
        const key = `toolset ${request.url}`;
        const body =
          context.cache.get(key)?.body ?? JSON.stringify(await emit(domain, request.query as Query));
        context.cache.set(key, { body, etag });
        reply.headers({ etag, 'cache-control': 'no-cache' });
        if (isFresh(request, etag)) return reply.code(304).send();
        return reply.header('content-type', 'application/json; charset=utf-8').send(body);
      },
    );
  serve('toolset', (domain, query) => emitToolset(domain, formulation, query, context));
  serve('start_tables', async (domain) => describeStartTables(domain));
}

type Query = Readonly<Record<string, string | readonly string[]>>;

async function emitToolset(
  domain: ServedDomain,
  formulation: ToolFormulation,
  query: Query,
  context: ToolContext,
): Promise<unknown> {
  const unknown = Object.keys(query).find((name) => !QUERY_NAMES.includes(name));
  if (unknown !== undefined)
    throw invalid(unknown, 'unknown_parameter', QUERY_NAMES, `there is no parameter ${unknown.slice(0, 64)}`);
  const format = [query.format ?? 'openapi'].flat()[0] as string;
  const names = Object.keys(FORMATS);
  if (!names.includes(format))
    throw invalid('format', 'not_one_of', names, `format must be one of ${names.join(', ')}`, format);
  const handles = [query.start_table ?? []]
    .flat()
    .flatMap((text) => text.split(','))
    .filter((text) => text !== '');
  const startTables = await Promise.all(handles.map((handle) => findStartTable(handle, domain, context)));
  return (FORMATS[format] as Emit)(toolsetFor(domain.service, formulation, startTables), domain, formulation);
}

/** A toolset of the farm, or of a start table made on this server. */
async function findStartTable(
  handle: string,
  domain: ServedDomain,
  { tools }: ToolContext,
): Promise<StartTable> {
  const plan = await tools.find(domain, handle);
  if (plan?.op === 'start') return { ...plan.definition, handle };
  const suggestions = nearestNames(
    handle,
    domain.service.start_tables.map((table) => table.handle),
  );
  const message = `there is no start table ${handle.slice(0, 80)} here${didYouMean(suggestions)}`;
  throw new HttpProblem('UNKNOWN_HANDLE', message, {
    errors: [{ field: 'start_table', code: 'unknown_handle', message, suggestions }],
  });
}

function describeStartTables({ service }: ServedDomain): unknown {
  return {
    start_tables: service.start_tables.map((table) => ({
      ...table,
      columns: offeredColumns([table], service.catalog),
    })),
  };
}

function invalid(
  field: string,
  code: string,
  names: readonly string[],
  text: string,
  given = field,
): HttpProblem {
  const suggestions = nearestNames(given, names);
  const message = `${text}${didYouMean(suggestions)}`;
  return new HttpProblem('INVALID_PARAMETERS', message, {
    errors: [{ field: field.slice(0, 64), code, message, suggestions }],
  });
}
