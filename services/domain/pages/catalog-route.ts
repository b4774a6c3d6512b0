import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { type ServedCatalog, servedCatalog } from '../../../contracts/served-catalog.ts';
import type { Service } from '../../../contracts/service.ts';
import { didYouMean, nearestNames } from '../../../contracts/wording.ts';
import { etagOf, isFresh } from '../../base/http/etag.ts';
import { HttpProblem } from '../../base/http/problem.ts';
import { answers } from '../../base/http/typed-routes.ts';
import type { PageContext } from './page-context.ts';

const schema = {
  operationId: 'get_catalog',
  tags: ['service'],
  summary: 'What a domain holds: its tables with columns and keys, its start tables and its endpoints.',
  params: z.object({ db: z.string() }),
  response: answers({ 200: servedCatalog }),
};

/** `GET /catalog/<db>`: a domain's tables and endpoints, for people who look at a farm and programs that show it. */
export function catalogRoute(app: FastifyInstance, { domains }: PageContext): void {
  app.get<{ Params: { db: string } }>(
    '/catalog/:db',
    { config: { kind: 'catalog' }, schema },
    (request, reply) => {
      const { db } = request.params;
      const domain = domains.byName(db);
      if (!domain) {
        const names = [...domains].map(({ service }) => service.db);
        throw new HttpProblem(
          'UNKNOWN_DOMAIN',
          `There is no domain ${db.slice(0, 80)}${didYouMean(nearestNames(db, names))}`,
        );
      }
      const etag = etagOf(domain.version, request.url);
      reply.headers({ etag, 'cache-control': 'no-cache' });
      if (isFresh(request, etag)) return reply.code(304).send();
      return reply.send(catalogOf(domain.service));
    },
  );
}

function catalogOf({ catalog, endpoints, ...service }: Service): ServedCatalog {
  const { split, db, title, data_licence, reference_time, start_tables } = service;
  return {
    split,
    db,
    title,
    ...(data_licence === undefined ? {} : { data_licence }),
    reference_time,
    tables: catalog.tables,
    start_tables,
    endpoints: endpoints.map(({ sql: _, ...endpoint }) => endpoint),
  };
}
