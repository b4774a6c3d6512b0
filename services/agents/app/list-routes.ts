import type { FastifyRequest } from 'fastify';
import { servedTools } from '../../../contracts/served-tools.ts';
import { answers, type TypedApp } from '../../base/http/typed-routes.ts';
import { emitTools } from '../tool-lists/emit-list.ts';
import type { AgentContext } from './agent-context.ts';
import { findList } from './find-surface.ts';
import { sessionParams, sessionRoutes } from './surface-routes.ts';

/** `/lists/<address>`: a list of tools at an address of its own, and below it the tools under the names it gives them. */
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
