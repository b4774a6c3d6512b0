import type { FastifyReply, FastifyRequest } from 'fastify';
import { askerOf, callerOf, wantsFresh } from '../../base/access/asker.ts';
import { etagOf, isFresh } from '../../base/http/etag.ts';
import { HttpProblem } from '../../base/http/problem.ts';
import { sendJson } from '../../base/http/send-json.ts';
import { didYouMean, nearestNames } from '../../base/nearest.ts';
import type { JsonRows } from '../../base/sqlite/rows-as-json.ts';
import { UnderWay } from '../../base/under-way.ts';
import type { CachedAnswer } from '../runtime/answer-cache.ts';
import type { CompiledEndpoint } from '../runtime/compiled-endpoint.ts';
import type { RuntimeContext } from '../runtime/runtime-context.ts';
import type { ServedDomain } from '../runtime/served-domain.ts';
import { bindParameters, type QueryString } from './parameters.ts';
import { runInChild, runOnMainThread } from './run-endpoint.ts';

/** Path parameters of the one route that serves every endpoint. */
interface EndpointPath {
  readonly split: string;
  readonly db: string;
  readonly endpoint: string;
}

/** The handler of `GET /v1/:split/:db/:endpoint`: cached answer, else check, run, answer. */
export function restHandler(context: RuntimeContext) {
  /** Slow answers under way, so that the same question is not computed twice at a time. */
  const underWay = new UnderWay<CachedAnswer>();

  return (request: FastifyRequest, reply: FastifyReply): FastifyReply | Promise<FastifyReply> => {
    const url = request.raw.url as string;
    const fresh = wantsFresh(request);
    const cached = fresh ? undefined : context.cache.get(url);
    if (cached) return sendAnswer(request, reply, cached);

    const path = request.params as EndpointPath;
    const domain = context.domains.get(path.split, path.db);
    const endpoint = findEndpoint(domain, path.endpoint);
    const parameters = bindParameters(endpoint.endpoint.parameters, request.query as QueryString);
    const etag = etagOf(domain.version, url);
    if (isFresh(request, etag)) return sendAnswer(request, reply, { body: '', etag });

    const finish = (rows: JsonRows): CachedAnswer => {
      const answer = { body: emitAnswer(rows), etag };
      if (!fresh) context.cache.set(url, answer);
      return answer;
    };
    const query = { domain, endpoint, parameters };
    const key = fresh ? `${callerOf(request)} ${url}` : url;
    const rows = underWay.has(key) ? null : runOnMainThread(context, query);
    if (rows) return sendAnswer(request, reply, finish(rows));
    return underWay
      .share(key, askerOf(request, reply), (asker) => runInChild(context, query, asker).then(finish))
      .then((answer) => sendAnswer(request, reply, answer));
  };
}

function findEndpoint(domain: ServedDomain, name: string): CompiledEndpoint {
  const endpoint = domain.endpoint(name);
  if (endpoint) return endpoint;
  const suggestions = nearestNames(name, domain.endpointNames());
  const detail = `${domain.service.db} has no endpoint ${name}${didYouMean(suggestions)}`;
  throw new HttpProblem('UNKNOWN_ENDPOINT', detail, {
    errors: [{ field: 'endpoint', code: 'unknown_endpoint', message: `unknown: ${name}`, suggestions }],
  });
}

function emitAnswer(rows: JsonRows): string {
  return `{"data":[${rows.text}],"row_count":${rows.count},"truncated":${rows.truncated}}`;
}

function sendAnswer(request: FastifyRequest, reply: FastifyReply, answer: CachedAnswer): FastifyReply {
  if (isFresh(request, answer.etag)) {
    return reply.header('etag', answer.etag).header('cache-control', 'no-cache').code(304).send();
  }
  sendJson(reply, answer.body, answer.etag);
  return reply;
}
