import { z } from 'zod';
import { openapiFile, readOpenapiFile } from '../../../contracts/openapi-file.ts';
import { DEFAULT_FORMULATION } from '../../../contracts/sample.ts';
import { openapiDocument } from '../../../contracts/served-tools.ts';
import { didYouMean, nearestNames } from '../../../contracts/wording.ts';
import { etagOf, isFresh } from '../../base/http/etag.ts';
import { HttpProblem } from '../../base/http/problem.ts';
import { answers } from '../../base/http/typed-routes.ts';
import type { ServePlugin } from './context.ts';

/** `/openapi/<db>.<formulation>.json`: the farm's files, byte for byte. */
const schema = {
  operationId: 'get_openapi_file',
  tags: ['service'],
  summary:
    "A domain's endpoints or tools as an OpenAPI document: `<db>.rest.json`, `<db>.slot.json`, `<db>.sel.json`.",
  params: z.object({ file: z.string() }),
  response: answers({ 200: openapiDocument }),
};

export const openapiFiles: ServePlugin = (app, { domains, openapi }) => {
  app.get<{ Params: { file: string } }>(
    '/openapi/:file',
    { config: { kind: 'openapi' }, schema },
    (request, reply) => {
      const { file } = request.params;
      const { db, formulation } = readOpenapiFile(file) ?? { db: null, formulation: DEFAULT_FORMULATION };
      const domain = db === null ? undefined : domains.byName(db);
      const text = domain && openapi(domain.service.db, formulation);
      if (!domain || text === undefined) {
        const names = [...domains].map(({ service }) => openapiFile(service.db, DEFAULT_FORMULATION));
        throw new HttpProblem(
          'UNKNOWN_ROUTE',
          `There is no file ${file}${didYouMean(nearestNames(file, names))}`,
        );
      }
      const etag = etagOf(domain.version, request.url);
      reply.headers({ etag, 'cache-control': 'no-cache' });
      if (isFresh(request, etag)) return reply.code(304).send();
      return reply.header('content-type', 'application/json; charset=utf-8').send(text);
    },
  );
};
