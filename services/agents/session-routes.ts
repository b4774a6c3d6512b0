import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { listFormat, openapiDocument, servedTask, servedTools, taskPage } from '../../contracts/api.ts';
import { callerOfRequest, methodOf } from '../base/http/caller.ts';
import { readArguments } from '../base/http/json.ts';
import { HttpProblem } from '../base/http/problem.ts';
import { answers, type TypedApp } from '../base/http/typed-routes.ts';
import { queryArguments } from '../domain/rest/rest.ts';
import { type AgentContext, findList } from './agent-context.ts';
import { passedHeaders, sendAnswer } from './backend/backend.ts';
import { sessionSdkRoute } from './code/sdk-routes.ts';
import { describeTask } from './describe-task.ts';
import { type AgentSession, readApiCall } from './toolsets/call-tool.ts';
import { emitList, emitTools, openapiOfList, type Reader } from './toolsets/emit-list.ts';

/** The session's id in its address: a run's id, or the printed address of a list. */
export const sessionParams = z.object({ id: z.string() });
const toolParams = sessionParams.extend({ tool: z.string() });
/** For documentation only: the tool checks its arguments, whose text must be kept. */
const toolArguments = z.record(z.string(), z.unknown());
const restParams = sessionParams.extend({ '*': z.string() });
const formatQuery = z.strictObject({ format: listFormat.default('plain') });

/** The two kinds of sessions, by the first segment of their addresses. */
const KINDS = {
  runs: {
    tag: 'run',
    name: 'run',
    recorded: ' It is recorded.',
    access: { plane: 'agent' },
    reader: 'agent',
  },
  lists: { tag: 'lists', name: 'list', recorded: '', access: {}, reader: 'anybody' },
} as const;

/**
 * Everything below the address of a run or a list: its tools, its task, and calls, by name or at the service's own
 * addresses, so an agent that knows a farm's addresses can use them below either. Bodies stay text here, so that
 * numbers keep their digits.
 */
export function sessionRoutes(
  app: TypedApp,
  kind: keyof typeof KINDS,
  find: (id: string, request: Pick<FastifyRequest, 'isHarness'>) => AgentSession | Promise<AgentSession>,
): void {
  const { tag, name, recorded, access, reader } = KINDS[kind];
  const prefix = `/${kind}/:id`;
  const tags = [tag];

  app.get(
    `${prefix}/tools`,
    {
      config: { kind: 'tools', ...access },
      schema: {
        operationId: `get_${name}_tools`,
        tags,
        summary: `The tools of the ${name}, in the format of a provider.`,
        params: sessionParams,
        querystring: formatQuery,
        response: answers({ 200: z.union([servedTools, openapiDocument]) }),
      },
    },
    async (request, reply) => {
      const { list, base } = await find(request.params.id, request);
      reply.header('x-tools-checksum', list.checksum);
      return emitList(list, request.query.format, base, reader);
    },
  );

  app.get(
    `${prefix}/openapi.json`,
    {
      config: { kind: 'tools', ...access },
      schema: {
        operationId: `get_${name}_openapi`,
        tags,
        summary: `The tools of the ${name} as an OpenAPI document.`,
        params: sessionParams,
        response: answers({ 200: openapiDocument }),
      },
    },
    async (request, reply) => {
      const { list, base } = await find(request.params.id, request);
      reply.header('x-tools-checksum', list.checksum);
      return openapiOfList(list, base);
    },
  );

  sessionSdkRoute(app, { prefix, name, access }, find);

  app.get(
    `${prefix}/call/:tool`,
    { config: { kind: 'call', ...access }, schema: { hide: true, params: toolParams } },
    async (request, reply) => {
      const { id, tool: name } = request.params;
      const surface = await find(id, request);
      const args = readQuery(surface, name, queryOf(request.raw.url));
      const headers = passedHeaders(request);
      const { signal } = callerOfRequest(request, reply);
      return sendAnswer(reply, await surface.call({ name, arguments: args, view: '', headers, signal }));
    },
  );

  app.post(
    `${prefix}/call/:tool`,
    {
      config: { kind: 'call', ...access },
      schema: {
        operationId: `call_${name}_tool`,
        tags,
        summary: `Calls a tool by the name that it has in the list; the body holds its arguments.${recorded}`,
        params: toolParams,
        body: toolArguments,
      },
    },
    async (request, reply) => {
      const { id, tool } = request.params;
      const surface = await find(id, request);
      const args = readArguments(textOf(request));
      const view = queryOf(request.raw.url).toString();
      const headers = passedHeaders(request);
      const { signal } = callerOfRequest(request, reply);
      return sendAnswer(reply, await surface.call({ name: tool, arguments: args, view, headers, signal }));
    },
  );

  app.route({
    method: ['GET', 'POST', 'PATCH', 'DELETE'],
    url: `${prefix}/v1/*`,
    config: { kind: 'call', ...access },
    schema: { hide: true, params: restParams },
    handler: async (request, reply) => {
      const surface = await find(request.params.id, request);
      const asked = {
        method: methodOf(request),
        path: segmentsBelow(request.raw.url),
        query: queryOf(request.raw.url),
        body: textOf(request),
      };
      const call = readApiCall(surface.list, asked, surface.beyond);
      const { signal } = callerOfRequest(request, reply);
      const answer = await surface.call({ ...call, headers: passedHeaders(request), signal });
      const isDeleted = request.method === 'DELETE' && answer.status === 200;
      return sendAnswer(reply, isDeleted ? { ...answer, status: 204, body: '' } : answer);
    },
  });

  app.get(
    `${prefix}/tasks`,
    {
      config: { kind: 'tasks', ...access },
      schema: {
        operationId: `get_${name}_task`,
        tags,
        summary: `The task of the ${name}, as a page of one.`,
        params: sessionParams,
        response: answers({ 200: taskPage }),
      },
    },
    async (request) => {
      const tasks = [shownTask(await find(request.params.id, request), reader)];
      return { tasks, total: 1, offset: 0, next: null };
    },
  );

  app.get(
    `${prefix}/tasks/*`,
    {
      config: { kind: 'tasks', ...access },
      schema: {
        hide: true,
        params: restParams,
        querystring: formatQuery,
        response: answers({ 200: z.union([servedTask, servedTools, openapiDocument]) }),
      },
    },
    async (request, reply) => {
      const { id, '*': sampleId } = request.params;
      const surface = await find(id, request);
      const task = shownTask(surface, reader);
      if (sampleId === task.sample_id) return task;
      if (sampleId !== `${task.sample_id}/tools`)
        throw new HttpProblem('UNKNOWN_TASK', `There is no task ${sampleId.slice(0, 120)} here`);
      reply.header('x-tools-checksum', surface.list.checksum);
      return emitList(surface.list, request.query.format, surface.base, reader);
    },
  );
}

function shownTask({ list, base, evidence }: AgentSession, reader: Reader) {
  const { task, names } = list.source;
  const { documents } = list.options;
  if (!task) throw new HttpProblem('UNKNOWN_TASK', 'This list belongs to no task');
  const { toolset_size, ...shown } = describeTask(task, base, { evidence, names, documents });
  return reader === 'agent' ? shown : { ...shown, toolset_size };
}

/** A GET's arguments, typed by the tool's schema. */
function readQuery({ list }: AgentSession, name: string, query: URLSearchParams): unknown {
  const properties = list.tools.find((tool) => tool.name === name)?.parameters.properties ?? {};
  const parameters = Object.entries(properties).map(([key, schema]) => {
    const array = schema.type === 'array';
    const type = String((array ? schema.items?.type : schema.type) ?? 'string');
    const known = type === 'integer' || type === 'number' ? type : 'string';
    return { name: key, type: known, array, description: '', required: true } as const;
  });
  return queryArguments({ parameters }, query);
}

function queryOf(url = ''): URLSearchParams {
  const at = url.indexOf('?');
  return new URLSearchParams(at < 0 ? '' : url.slice(at + 1));
}

/** The segments after `/runs/<id>/v1/`, decoded one by one: an encoded slash is part of a value. */
function segmentsBelow(url = ''): string[] {
  return (url.split('?', 1)[0] ?? '').split('/').slice(SURFACE_SEGMENTS).map(decodeURIComponent);
}

const SURFACE_SEGMENTS = 4;

function textOf({ body }: { readonly body: unknown }): string | undefined {
  return typeof body === 'string' ? body : undefined;
}

/** `/lists/<address>`: a tool list, and below it the tools under their listed names. */
export function listRoutes(app: TypedApp, context: AgentContext): void {
  const find = (id: string, request: Pick<FastifyRequest, 'isHarness'>) => findList(context, id, request);
  app.get(
    '/lists/:id',
    {
      config: { kind: 'tools' },
      schema: {
        operationId: 'get_list',
        tags: ['lists'],
        summary: 'A list of tools at its own address. Calls below it are carried out and not recorded.',
        params: sessionParams,
        response: answers({ 200: servedTools }),
      },
    },
    (request, reply) => {
      const { list, base } = find(request.params.id, request);
      reply.header('x-tools-checksum', list.checksum);
      return emitTools(list, 'plain', base, request.isHarness ? 'harness' : 'anybody');
    },
  );
  sessionRoutes(app, 'lists', find);
}
