import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { listOptions } from '../../../contracts/list-options.ts';
import { several, yesOrNo } from '../../../contracts/query-fields.ts';
import { checked } from '../../base/http/checked.ts';
import { describeTask } from '../tasks/describe-task.ts';
import { emitList, listFormat } from '../tool-lists/emit-list.ts';
import type { AgentContext } from './agent-context.ts';
import { domainSubject, findList } from './find-surface.ts';
import { listSurface } from './list-surface.ts';
import { surfaceRoutes } from './surface-routes.ts';

const taskQuery = z.strictObject({ evidence: yesOrNo.default(false) });
const listQuery = listOptions.extend({ format: listFormat.default('plain') });
const domainQuery = listQuery.extend({ start_table: several.default([]) });

/**
 * `GET /tasks/<sample_id>` and `/tasks/<sample_id>/tools`, `GET /tools/<db>/<formulation>`: lists of tools made to
 * order; and `/lists/<address>/…`, where the tools of such a list are called by the names it gives them.
 */
export function listRoutes(app: FastifyInstance, context: AgentContext): void {
  app.get('/tasks/*', { config: { kind: 'tasks' } }, (request, reply) => {
    const id = (request.params as { '*': string })['*'];
    const task = context.tasks.find(id);
    if (task) {
      const { evidence } = checked(taskQuery, request.query);
      return reply.send(describeTask(task, '', { evidence }));
    }
    const sampleId = id.replace(/\/tools$/, '');
    if (sampleId === id) context.tasks.get(id);
    const { format, ...options } = checked(listQuery, request.query);
    const { list, base } = listSurface(context, { subject: { task: sampleId }, options });
    return reply.header('x-tools-checksum', list.checksum).send(emitList(list, format, base));
  });

  app.get('/tools/:db/:formulation', { config: { kind: 'tools' } }, (request, reply) => {
    const { format, start_table, ...options } = checked(domainQuery, request.query);
    const { list, base } = listSurface(context, { subject: domainSubject(request, start_table), options });
    return reply.header('x-tools-checksum', list.checksum).send(emitList(list, format, base));
  });

  const find = (request: FastifyRequest) => findList(context, request);
  app.get('/lists/:list', { config: { kind: 'tools' } }, (request, reply) => {
    const { list, base } = find(request);
    return reply.header('x-tools-checksum', list.checksum).send(emitList(list, 'plain', base));
  });
  surfaceRoutes(app, '/lists/:list', find);
}
