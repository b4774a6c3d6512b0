import type { FastifyInstance } from 'fastify';
import { DEFAULT_FORMULATION, formulation as formulationSchema } from '../../../contracts/sample.ts';
import { didYouMean, nearestNames } from '../../../contracts/wording.ts';
import { HttpProblem } from './problem.ts';

export interface Documented {
  readonly names: () => readonly string[];
  readonly hasOpenapi: (db: string, formulation: string) => boolean;
  /** Whether `/openapi/rookery.json` is served. */
  readonly hasOwnApi: boolean;
}

/** `/docs`, `/docs/<db>`, `/docs/<db>/slot`: short addresses of the API references, which are views of the console. */
export function referenceRoutes(app: FastifyInstance, { names, hasOpenapi, hasOwnApi }: Documented): void {
  const config = { kind: 'docs', produces: ['text/html'] };
  app.get('/docs', { config }, (_request, reply) => reply.redirect(hasOwnApi ? '/#/reference' : '/'));

  app.get<{ Params: { db: string; formulation?: string } }>(
    '/docs/:db/:formulation?',
    { config },
    (request, reply) => {
      const { db, formulation = DEFAULT_FORMULATION } = request.params;
      const known = names();
      const isKnown = known.includes(db) && formulationSchema.safeParse(formulation).success;
      if (!isKnown || !hasOpenapi(db, formulation)) {
        const hint = known.includes(db) ? '' : didYouMean(nearestNames(db, known));
        throw new HttpProblem('UNKNOWN_DOMAIN', `There is no API reference for ${db} ${formulation}${hint}`);
      }
      return reply.redirect(`/#/reference/${encodeURIComponent(db)}/${formulation}`);
    },
  );
}
