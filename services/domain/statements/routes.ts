import type { FastifyInstance } from 'fastify';
import { askerOf } from '../../base/access/asker.ts';
import type { RuntimeContext } from '../runtime/runtime-context.ts';
import { executeSql, requireShare } from './execute-sql.ts';

interface SharePath {
  readonly split: string;
  readonly db: string;
  readonly share: string;
}

/** `POST /v1/:split/:db/hybrid/:share/execute_sql`: SQL over the tables that a share leaves visible. */
export function statementRoutes(app: FastifyInstance, context: RuntimeContext): void {
  app.post(
    '/v1/:split/:db/hybrid/:share/execute_sql',
    { config: { kind: 'statements' } },
    async (request, reply) => {
      const { split, db, share } = request.params as SharePath;
      const domain = context.domains.get(split, db);
      const asker = askerOf(request, reply);
      const text = await executeSql(context, domain, requireShare(share), request.body, asker);
      return reply.header('content-type', 'application/json; charset=utf-8').send(text);
    },
  );
}
