import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import { liveRoute, readyRoute } from '../../base/http/health-routes.ts';
import { HttpProblem } from '../../base/http/problem.ts';
import type { ServedDomain } from '../runtime/served-domain.ts';
import type { ServePlugin } from './context.ts';

const readyDomains = z.object({ status: z.literal('ready'), domains: z.number().int() });

/** `/health/live`: the process answers. `/health/ready`: every database opens, and what plugins need is there. */
export const health: ServePlugin = (app, { domains, readiness }) => {
  const opened = new Set<ServedDomain>();

  liveRoute(app);
  app.get('/health/ready', readyRoute(readyDomains), async (_request, reply) => {
    const broken: { db: string; cause: unknown }[] = [];
    for (const domain of domains) {
      if (opened.has(domain)) continue;
      try {
        domain.connection();
        opened.add(domain);
      } catch (cause) {
        broken.push({ db: domain.service.db, cause });
      }
      // Opening hundreds of databases must not delay requests in progress.
      await setImmediate();
    }
    if (broken.length === 0) {
      for (const check of readiness) await check();
      return reply.header('cache-control', 'no-store').send({ status: 'ready', domains: opened.size });
    }
    for (const { db, cause } of broken) app.log.error({ err: cause, db }, 'a database does not open');
    throw new HttpProblem('NOT_READY', `${broken.length} of the databases cannot be opened`, {
      errors: broken.map(({ db }) => ({
        field: db,
        code: 'database',
        message: `the database of ${db} does not open`,
      })),
      headers: { 'retry-after': '5' },
    });
  });
};
