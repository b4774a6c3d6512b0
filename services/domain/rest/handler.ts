import type { FastifyReply, FastifyRequest } from 'fastify';
import { didYouMean, nearestNames } from '../../../contracts/wording.ts';
import { callerOfRequest, callerName, wantsFresh } from '../../base/access/asker.ts';
import { etagOf, isFresh } from '../../base/http/etag.ts';
import { HttpProblem } from '../../base/http/problem.ts';
import { sendJson } from '../../base/http/send-json.ts';
import type { JsonRows } from '../../base/sqlite/rows-as-json.ts';
import { SingleFlight } from '../../base/under-way.ts';
import type { CachedAnswer } from '../runtime/answer-cache.ts';
import type { CompiledEndpoint } from '../runtime/compiled-endpoint.ts';
import type { RuntimeContext } from '../runtime/runtime-context.ts';
import type { ServedDomain } from '../runtime/served-domain.ts';
import { bindParameters, type QueryString } from './parameters.ts';
import { readEndpointPath } from './read-endpoint-path.ts';
import { runInChild, runOnMainThread } from './run-endpoint.ts';

/** Path parameters of the routes that serve every endpoint. */
interface DomainAddress {
  readonly split: string;
  readonly db: string;
  /** Absent below nouns and values. */
  readonly endpoint?: string;
}

/** The handler of every `GET /v1/:split/:db/…` of an endpoint: cached answer, else check, run, answer. */
export function restHandler(context: RuntimeContext) {
  /** Slow answers under way, so that the same question is not computed twice at a time. */
  const underWay = new SingleFlight<CachedAnswer>();

  return (request: FastifyRequest, reply: FastifyReply): FastifyReply | Promise<FastifyReply> => {
    const url = request.raw.url as string;
    const fresh = wantsFresh(request);
    const cached = fresh ? undefined : context.cache.get(url);
    if (cached) return sendAnswer(request, reply, cached);

    const { split, db, endpoint: name } = request.params as DomainAddress;
    const domain = context.domains.get(split, db);
    const segments = name === undefined ? segmentsOf(url) : [name];
    const endpoint = findEndpoint(domain, segments.at(-1) ?? '');
    const inPath = readEndpointPath(endpoint.endpoint, segments);
    if (inPath === null)
      throw new HttpProblem('UNKNOWN_ROUTE', `There is nothing here; ask ${endpoint.endpoint.path}`);
    const parameters = bindParameters(
      endpoint.endpoint.parameters,
      together(inPath, request.query as QueryString),
    );
    const etag = etagOf(domain.version, url);
    if (isFresh(request, etag)) return sendAnswer(request, reply, { body: '', etag });

    const finish = (rows: JsonRows): CachedAnswer => {
      const answer = { body: emitAnswer(rows), etag };
      if (!fresh) context.cache.set(url, answer);
      return answer;
    };
    const query = { domain, endpoint, parameters };
    const key = fresh ? `${callerName(request)} ${url}` : url;
    const rows = underWay.has(key) ? null : runOnMainThread(context, query);
    if (rows) return sendAnswer(request, reply, finish(rows));
    return underWay
      .share(key, callerOfRequest(request, reply), (asker) => runInChild(context, query, asker).then(finish))
      .then((answer) => sendAnswer(request, reply, answer));
  };
}

/** The segments of a request's path after the domain's. One that cannot be decoded has been refused before. */
function segmentsOf(url: string): string[] {
  return (url.split('?', 1)[0] ?? '').split('/').slice(DOMAIN_SEGMENTS).map(decodeURIComponent);
}

const DOMAIN_SEGMENTS = 4;

/** The parameters of path and query string; one that is in both is given twice. */
function together(inPath: Readonly<Record<string, string>>, query: QueryString): QueryString {
  const all: Record<string, string | readonly string[]> = { ...query };
  for (const [name, value] of Object.entries(inPath)) {
    const other = query[name];
    all[name] = other === undefined ? value : [value, other].flat();
  }
  return all;
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
