import { z } from 'zod';
import {
  endpointSearch,
  foundEndpoints,
  listFormat,
  openapiDocument,
  servedFarm,
  servedTask,
  servedTools,
  taskPage,
} from '../../contracts/api.ts';
import { shareText } from '../../contracts/hybrid.ts';
import { servedGold } from '../../contracts/judgement.ts';
import { formulation } from '../../contracts/sample.ts';
import { listOptions, several, yesOrNo } from '../../contracts/toolset-options.ts';
import { writeJson } from '../base/http/json.ts';
import { HttpProblem } from '../base/http/problem.ts';
import { guardBand, guardGold } from '../base/http/roles.ts';
import { answers, type TypedApp } from '../base/http/typed-routes.ts';
import { type AgentContext, listSession, scoringDisabled } from './agent-context.ts';
import { describeTask } from './describe-task.ts';
import { taskQuery } from './task-book.ts';
import { emitList } from './toolsets/emit-list.ts';
import { findEndpoints } from './toolsets/tool-lists.ts';

const evidenceQuery = z.strictObject({ evidence: yesOrNo.default(false) });
const listQuery = listOptions.extend({ format: listFormat.default('plain') });
const domainQuery = listQuery.extend({ start_table: several.default([]), share: shareText.optional() });
export const sampleParams = z.object({
  split: z.string(),
  db: z.string(),
  question_id: z.string(),
  formulation: z.string(),
});
const tags = ['tasks'];

/** `GET /tasks` and below: the farm's tasks and their tools; `GET /tools/…`: a domain's tools. */
export function taskRoutes(app: TypedApp, context: AgentContext): void {
  const { tasks } = context;

  app.get(
    '/tasks',
    {
      config: { kind: 'tasks' },
      schema: {
        operationId: 'list_tasks',
        tags,
        summary: 'Tasks, filtered, drawn and paged. The same query always gives the same page.',
        querystring: taskQuery,
        response: answers({ 200: taskPage }),
      },
    },
    async (request) => {
      const { offset, limit, evidence } = request.query;
      guardBand(request, request.query);
      await tasks.read(request.query);
      const page = tasks.page(request.query, offset, limit);
      const end = offset + limit;
      return {
        tasks: page.tasks.map((task) => describeTask(task, '', { evidence })),
        total: page.total,
        offset,
        next: end < page.total ? nextPage(request.raw.url ?? '', end) : null,
      };
    },
  );

  app.get(
    '/tasks/:split/:db/:question_id/:formulation',
    {
      config: { kind: 'tasks' },
      schema: {
        operationId: 'get_task',
        tags,
        summary: 'A task. The four parts of the path are its sample id.',
        params: sampleParams,
        querystring: evidenceQuery,
        response: answers({ 200: servedTask }),
      },
    },
    (request) => describeTask(tasks.get(sampleIdOf(request.params)), '', request.query),
  );

  app.get(
    '/tasks/:split/:db/:question_id/:formulation/tools',
    {
      config: { kind: 'tasks' },
      schema: {
        operationId: 'get_task_tools',
        tags,
        summary: 'The tools of a task, made to order, in the format of a provider.',
        params: sampleParams,
        querystring: listQuery,
        response: answers({ 200: z.union([servedTools, openapiDocument]) }),
      },
    },
    (request, reply) => {
      const { format, ...options } = request.query;
      const subject = { task: sampleIdOf(request.params) };
      guardGold(request, { subject, options });
      const { list, base } = listSession(context, { subject, options });
      reply.header('x-tools-checksum', list.checksum);
      return emitList(list, format, base, request.isHarness ? 'harness' : 'anybody');
    },
  );

  app.get(
    '/tasks/:split/:db/:question_id/:formulation/gold',
    {
      config: { kind: 'tasks', plane: 'harness' },
      schema: {
        operationId: 'get_task_gold',
        tags,
        summary: 'The gold of a task: its SQL, its rows, and calls that are proven to get them.',
        params: sampleParams,
        response: answers({ 200: servedGold }),
      },
      serializerCompiler: () => writeJson,
    },
    async (request, reply) => {
      const { sample_id } = tasks.get(sampleIdOf(request.params));
      if (!context.gold) throw scoringDisabled();
      const gold = await context.gold(sample_id);
      if (!gold) throw new HttpProblem('UNKNOWN_TASK', `The gold has no task ${sample_id}.`);
      reply.header('cache-control', 'no-store');
      return gold;
    },
  );

  // No sample id has any other form; the 404 suggests the nearest ones.
  app.get(
    '/tasks/*',
    { config: { kind: 'tasks' }, schema: { hide: true, params: z.object({ '*': z.string() }) } },
    (request) => describeTask(tasks.get(request.params['*']), '', { evidence: false }),
  );

  app.get(
    '/tools',
    {
      config: { kind: 'tools' },
      schema: {
        operationId: 'find_endpoints',
        tags,
        summary: 'The endpoints of the farm that fit some words, the best match first.',
        querystring: endpointSearch,
        response: answers({ 200: foundEndpoints }),
      },
    },
    (request) => findEndpoints(context, request.query),
  );

  app.get(
    '/tools/:db/:formulation',
    {
      config: { kind: 'tools' },
      schema: {
        operationId: 'get_domain_tools',
        tags,
        summary: 'The tools of a domain, made to order, in the format of a provider.',
        params: z.object({ db: z.string(), formulation }),
        querystring: domainQuery,
        response: answers({ 200: z.union([servedTools, openapiDocument]) }),
      },
    },
    (request, reply) => {
      const { format, start_table, share, ...options } = request.query;
      const at = share === undefined ? {} : { share };
      const subject = { ...request.params, start_tables: [...start_table], ...at };
      const { list, base } = listSession(context, { subject, options });
      reply.header('x-tools-checksum', list.checksum);
      return emitList(list, format, base, request.isHarness ? 'harness' : 'anybody');
    },
  );
}

export function sampleIdOf({ split, db, question_id, formulation }: z.output<typeof sampleParams>): string {
  return [split, db, question_id, formulation].join('/');
}

function nextPage(url: string, offset: number): string {
  const query = new URLSearchParams(url.slice(url.indexOf('?') + 1 || url.length));
  query.set('offset', String(offset));
  return `/tasks?${query}`;
}

/** `GET /farm`: identifies the served farm, so that scores can be compared. */
export function farmRoute(app: TypedApp, context: AgentContext): void {
  app.get(
    '/farm',
    {
      config: { kind: 'farm' },
      schema: {
        operationId: 'get_farm',
        tags: ['service'],
        summary: 'Which farm is served: its hash, its world, and how much of its split it kept.',
        response: answers({ 200: servedFarm }),
      },
    },
    (_request, reply) => {
      const { farm } = context;
      if (!farm) throw new HttpProblem('UNKNOWN_ROUTE', 'These services are of no farm.');
      reply.header('cache-control', 'no-cache');
      return farm();
    },
  );
}
