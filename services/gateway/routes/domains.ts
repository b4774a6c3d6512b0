import type { FastifyReply, FastifyRequest } from 'fastify';
import { isFresh } from '../../base/http/etag.ts';
import type { GatewayRoutes } from '../forward/context.ts';
import { forward } from '../forward/forward.ts';
import type { CachedResponse } from '../forward/response-cache.ts';

/** Everything of one domain, sent on to its service: `/v1/<split>/<db>/…`; what was asked before, from memory. */
export const domainRoutes: GatewayRoutes = (app, { upstreams, metrics, cache }) => {
  app.all<{ Params: { split: string; db: string } }>(
    '/v1/:split/:db/*',
    { config: { kind: 'domain' } },
    async (request, reply) => {
      const { split, db } = request.params;
      const upstream = upstreams.get(split, db);
      if (request.method !== 'GET') {
        await forward(upstream, request, reply, { metrics, repeatable: true });
        return reply;
      }
      const url = request.raw.url as string;
      const known = cache.get(upstream, url);
      if (known) return sendKept(request, reply, known);
      const { generation } = upstream;
      const keep = (answer: CachedResponse) => cache.set(generation, url, answer);
      const keeper = { maxBodyBytes: cache.maxBodyBytes, keep };
      await forward(upstream, request, reply, { metrics, repeatable: true, keeper });
      return reply;
    },
  );
};

function sendKept(
  request: FastifyRequest,
  reply: FastifyReply,
  { headers, etag, body }: CachedResponse,
): FastifyReply {
  reply.headers(headers);
  if (!isFresh(request, etag)) return reply.send(body);
  return reply.removeHeader('content-type').code(304).send();
}
