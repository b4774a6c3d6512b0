import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { checked } from '../../base/http/checked.ts';
import { readArguments } from '../../base/http/json-text.ts';
import { HttpProblem } from '../../base/http/problem.ts';
import { passedHeaders, sendAnswer } from '../backend/send-answer.ts';
import { queryArguments, readApiCall } from '../calls/api-call.ts';
import type { Surface } from '../surface/surface.ts';
import { describeTask } from '../tasks/describe-task.ts';
import { emitList, listFormat } from '../tool-lists/emit-list.ts';

const formatQuery = z.strictObject({ format: listFormat.default('plain') });

/**
 * What is below the address of a run or a list (`prefix`, a route with its parameters): its tools, its task, and the
 * calls, by name or at the service's own addresses. So an agent that knows a farm's addresses works the same below
 * either.
 */
export function surfaceRoutes(
  app: FastifyInstance,
  prefix: string,
  find: (request: FastifyRequest) => Surface,
): void {
  app.get(`${prefix}/tools`, { config: { kind: 'tools' } }, (request, reply) => {
    const { format } = checked(formatQuery, request.query);
    const { list, base } = find(request);
    return reply.header('x-tools-checksum', list.checksum).send(emitList(list, format, base));
  });

  app.get(`${prefix}/openapi.json`, { config: { kind: 'tools' } }, (request, reply) => {
    const { list, base } = find(request);
    return reply.header('x-tools-checksum', list.checksum).send(emitList(list, 'openapi', base));
  });

  app.route({
    method: ['GET', 'POST'],
    url: `${prefix}/call/:tool`,
    config: { kind: 'call' },
    handler: async (request, reply) => {
      const surface = find(request);
      const { tool: name } = request.params as { tool: string };
      const query = queryOf(request);
      const headers = passedHeaders(request);
      const call =
        request.method === 'GET'
          ? { name, arguments: readQuery(surface, name, query), view: '', headers }
          : { name, arguments: readArguments(textOf(request)), view: query.toString(), headers };
      return sendAnswer(reply, await surface.call(call));
    },
  });

  app.route({
    method: ['GET', 'POST'],
    url: `${prefix}/v1/*`,
    config: { kind: 'call' },
    handler: async (request, reply) => {
      const surface = find(request);
      const path = pathOf(request);
      const body = textOf(request);
      const call = readApiCall(surface.list, { method: request.method, path, query: queryOf(request), body });
      return sendAnswer(reply, await surface.call({ ...call, headers: passedHeaders(request) }));
    },
  });

  app.get(`${prefix}/tasks`, { config: { kind: 'tasks' } }, (request, reply) => {
    const tasks = [shownTask(find(request))];
    return reply.send({ tasks, total: 1, offset: 0, next: null });
  });

  app.get(`${prefix}/tasks/*`, { config: { kind: 'tasks' } }, (request, reply) => {
    const surface = find(request);
    const id = pathOf(request).join('/');
    const task = shownTask(surface);
    if (id === task.sample_id) return reply.send(task);
    if (id !== `${task.sample_id}/tools`)
      throw new HttpProblem('UNKNOWN_TASK', `There is no task ${id.slice(0, 120)} here`);
    const { format } = checked(formatQuery, request.query);
    return reply
      .header('x-tools-checksum', surface.list.checksum)
      .send(emitList(surface.list, format, surface.base));
  });
}

function shownTask({ list, base, evidence }: Surface) {
  const { task } = list.source;
  if (!task) throw new HttpProblem('UNKNOWN_TASK', 'This list belongs to no task');
  return describeTask(task, base, { evidence });
}

/** A GET's arguments; their types follow the tool's schema. */
function readQuery({ list }: Surface, name: string, query: URLSearchParams): unknown {
  const properties = list.tools.find((tool) => tool.name === name)?.parameters.properties ?? {};
  const parameters = Object.entries(properties).map(([key, schema]) => {
    const array = schema.type === 'array';
    const type = String((array ? schema.items?.type : schema.type) ?? 'string');
    const known = type === 'integer' || type === 'number' ? type : 'string';
    return { name: key, type: known, array, description: '', required: true } as const;
  });
  return queryArguments({ parameters }, query);
}

/** What `*` stands for, decoded, split at slashes. */
function pathOf(request: FastifyRequest): string[] {
  return ((request.params as { '*'?: string })['*'] ?? '').split('/');
}

function queryOf(request: FastifyRequest): URLSearchParams {
  const url = request.raw.url ?? '';
  const at = url.indexOf('?');
  return new URLSearchParams(at < 0 ? '' : url.slice(at + 1));
}

/** The routes for agents read bodies as text. */
function textOf(request: FastifyRequest): string | undefined {
  return typeof request.body === 'string' ? request.body : undefined;
}
