import { createHash } from 'node:crypto';
import { openapiFile, readOpenapiFile } from '../../../contracts/openapi-file.ts';
import { DEFAULT_FORMULATION, type Formulation } from '../../../contracts/sample.ts';
import { counted, didYouMean, nearestNames } from '../../../contracts/wording.ts';
import { HttpProblem } from '../../base/http/problem.ts';
import { ask, type GatewayContext, type GatewayRoutes } from '../forward/context.ts';
import { forward } from '../forward/forward.ts';
import { mergeSpecs, type Spec } from '../merge/merge-specs.ts';

/**
 * `/openapi/<db>.<formulation>.json` from the domain's service, and `/openapi/<formulation>.json`: all domains in one
 * document.
 */
export const openapiRoutes: GatewayRoutes = (app, context) => {
  const { upstreams, metrics } = context;
  const merged = new Map<string, Promise<Merged>>();

  // The process for agents has what rookery serves beside its domains.
  const { agents } = upstreams;
  if (agents) {
    app.get('/openapi/rookery.json', { config: { kind: 'openapi' } }, async (request, reply) => {
      await forward(agents, request, reply, { metrics, repeatable: true });
      return reply;
    });
  }

  app.get<{ Params: { file: string } }>(
    '/openapi/:file',
    { config: { kind: 'openapi' } },
    async (request, reply) => {
      const { file } = request.params;
      const asked = readOpenapiFile(file);
      if (asked?.db === null) {
        const all = asked.formulation;
        const document = merged.get(all) ?? merge(context, all);
        merged.set(all, document);
        // Only a whole one is kept.
        document.catch(() => merged.delete(all));
        const { text, etag } = await document;
        reply.headers({ etag, 'cache-control': 'no-cache' });
        if (request.headers['if-none-match'] === etag) return reply.code(304).send();
        return reply.header('content-type', 'application/json; charset=utf-8').send(text);
      }
      const upstream = asked && upstreams.byName(asked.db ?? '');
      if (!upstream) throw unknownFile(file, context);
      await forward(upstream, request, reply, { metrics, repeatable: true });
      return reply;
    },
  );
};

interface Merged {
  readonly text: string;
  readonly etag: string;
}

async function merge({ farm, upstreams }: GatewayContext, formulation: Formulation): Promise<Merged> {
  const wanted = upstreams.domains.filter((db) => `openapi/${openapiFile(db, formulation)}` in farm.files);
  const answers = await Promise.all(
    wanted.map(async (db) => {
      const upstream = upstreams.byName(db);
      const path = `/openapi/${openapiFile(encodeURIComponent(db), formulation)}`;
      return { db, text: upstream && (await ask(upstream, path)) };
    }),
  );
  const missing = answers.flatMap(({ db, text }) => (text === undefined ? [db] : []));
  if (missing.length > 0) {
    throw new HttpProblem('DOMAIN_UNAVAILABLE', `No answer from the services of ${missing.join(', ')}.`, {
      errors: missing.map((db) => ({
        field: db,
        code: 'unavailable',
        message: `the service of ${db} is down`,
      })),
      headers: { 'retry-after': '1' },
    });
  }
  if (answers.length === 0)
    throw new HttpProblem('UNKNOWN_ROUTE', `This farm has no ${formulation} interface`);
  const specs = answers.map(({ db, text }) => ({ db, spec: JSON.parse(text ?? '') as Spec }));
  const text = JSON.stringify(
    mergeSpecs(specs, {
      ...specs[0]?.spec.info,
      title: `${farm.name} (${formulation})`,
      version: farm.generator_version,
      summary: `${counted(specs.length, 'domain')} in one document`,
      description: `The domains ${specs.map(({ db }) => db).join(', ')}.`,
    }),
  );
  return { text, etag: `"${createHash('sha1').update(text).digest('base64url')}"` };
}

function unknownFile(file: string, { upstreams }: GatewayContext): HttpProblem {
  const names = upstreams.domains.map((db) => openapiFile(db, DEFAULT_FORMULATION));
  return new HttpProblem('UNKNOWN_ROUTE', `There is no file ${file}${didYouMean(nearestNames(file, names))}`);
}
