import type { FastifyInstance } from 'fastify';
import { checked } from '../../base/http/checked.ts';
import { describeTask } from '../tasks/describe-task.ts';
import { taskQuery } from '../tasks/task-query.ts';
import type { AgentContext } from './agent-context.ts';

/** `GET /tasks`: the tasks of the farm, filtered, drawn and paged; the same query always gives the same page. */
export function taskRoutes(app: FastifyInstance, { tasks }: AgentContext): void {
  app.get('/tasks', { config: { kind: 'tasks' } }, (request, reply) => {
    const query = checked(taskQuery, request.query);
    const { offset, limit, evidence } = query;
    const selected = tasks.select(query);
    const end = offset + limit;
    return reply.send({
      tasks: selected.slice(offset, end).map((task) => describeTask(task, '', { evidence })),
      total: selected.length,
      offset,
      next: end < selected.length ? nextPage(request.raw.url ?? '', end) : null,
    });
  });
}

function nextPage(url: string, offset: number): string {
  const query = new URLSearchParams(url.slice(url.indexOf('?') + 1 || url.length));
  query.set('offset', String(offset));
  return `/tasks?${query}`;
}
