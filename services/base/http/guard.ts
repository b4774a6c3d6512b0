import type { FastifyInstance, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { ApiKeys, hasMetricsKey, isOperator, requireOperator, setMetricsKey } from './keys.ts';
import { cameFromWorker, isInternalRequest } from './listen.ts';
import { HttpProblem, tooManyRequests } from './problem.ts';
import { answers, textAnswer } from './typed-routes.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Whether pages of an origin may send requests; undefined if no other origin may. */
    isAllowedOrigin?: (origin: string) => boolean;
  }
}

export interface AccessOptions {
  /** Accepted API keys; if empty, none is required. */
  readonly keys?: readonly string[];
  /** Requests per minute for each key, or each address if no keys are required. Default: unlimited. */
  readonly rateLimit?: number | undefined;
  /** Opens only `/metrics`, which then accepts no other key but the harness key. */
  readonly metricsKey?: string | undefined;
  /** Origins whose pages may send requests from a browser, or `*` for all. This server's own pages always may. */
  readonly cors?: readonly string[] | undefined;
  /** Addresses or networks of proxies, separated by commas, whose forwarding headers are trusted. */
  readonly trustProxy?: string | undefined;
}

/** Response headers that pages of other origins may read. */
const EXPOSED = 'etag retry-after x-request-id x-rookery-fault x-tools-checksum mcp-session-id'.split(' ');

/** Enables CORS. Registered before keys are checked: preflight requests carry none. */
export async function allowOrigins(app: FastifyInstance, origins: readonly string[] = []): Promise<void> {
  if (origins.length === 0) return;
  const { default: cors } = await import('@fastify/cors');
  await app.register(cors, {
    origin: origins.includes('*') ? '*' : [...origins],
    methods: ['GET', 'HEAD', 'POST', 'DELETE'],
    exposedHeaders: EXPOSED,
    maxAge: 600,
    strictPreflight: false,
  });
  app.decorate('isAllowedOrigin', (origin) => origins.includes('*') || origins.includes(origin));
}

/** Requires keys and limits rates for all routes registered afterwards. */
export async function guard(app: FastifyInstance, { keys = [], rateLimit, metricsKey }: AccessOptions) {
  setMetricsKey(app, metricsKey);
  requireKey(app, new ApiKeys(keys));
  if (rateLimit === undefined) return;
  // Loaded only if rates are limited; a container's service does not need it.
  const { default: limitRates } = await import('@fastify/rate-limit');
  await app.register(limitRates, {
    max: rateLimit,
    timeWindow: '1 minute',
    hook: 'onRequest',
    allowList: (request) =>
      request.routeOptions.config?.open === 'free' || isInternalRequest(request) || cameFromWorker(request),
    keyGenerator: (request) => (request.apiKey >= 0 ? `key ${request.apiKey}` : request.ip),
    errorResponseBuilder: (_request, { max, ttl }) => tooManyRequests(max, Math.ceil(ttl / 1000)),
  });
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Needs no key, for probes: `counted` towards the rate limit, or `free` of that too. */
    open?: 'counted' | 'free';
  }
  interface FastifyRequest {
    /** The index of the caller's API key, or -1. */
    apiKey: number;
  }
}

/** Wrong keys per minute and address before it must wait. A right key always works. */
const MAX_WRONG_KEYS = 60;
const MINUTE_MS = 60_000;
const MAX_ADDRESSES = 10_000;

/** Rejects requests without one of the keys, if there are any. Must be registered before rates are limited by key. */
export function requireKey(app: FastifyInstance, keys: ApiKeys): void {
  app.decorateRequest('apiKey', -1);
  if (!keys.required) return;
  const wrong = new LRUCache<string, { count: number }>({ max: MAX_ADDRESSES, ttl: MINUTE_MS });
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.routeOptions.config?.open || isInternalRequest(request) || cameFromWorker(request))
      return done();
    if (hasMetricsKey(request)) return done();
    request.apiKey = keys.find(request.headers);
    done(request.apiKey >= 0 ? undefined : refusal(request, wrong));
  });
}

function refusal({ ip }: FastifyRequest, wrong: LRUCache<string, { count: number }>): HttpProblem {
  const tries = wrong.get(ip) ?? { count: 0 };
  if (tries.count === 0) wrong.set(ip, tries);
  if (++tries.count > MAX_WRONG_KEYS) {
    return new HttpProblem('RATE_LIMITED', 'Too many requests without a right key; try again in a minute.', {
      headers: { 'retry-after': '60' },
    });
  }
  return new HttpProblem(
    'UNAUTHORIZED',
    'Send one of the keys of this server as "Authorization: Bearer <key>" or as "X-API-Key: <key>".',
    { headers: { 'www-authenticate': 'Bearer realm="rookery", Basic realm="rookery", charset="UTF-8"' } },
  );
}

const schema = {
  operationId: 'get_metrics',
  tags: ['service'],
  summary: 'Counters and gauges for Prometheus.',
  response: answers({ 200: textAnswer('The Prometheus text format.', 'text/plain') }),
};

export interface Exposition {
  readonly contentType: string;
  /** `isOperator`: whether the request has a key for metrics that are hidden from agents. */
  text(isOperator: boolean): Promise<string | Buffer>;
}

/** `/metrics`, behind `requireOperator`. */
export function serveMetrics(app: FastifyInstance, metrics: Exposition): void {
  app.get(
    '/metrics',
    {
      config: { kind: 'metrics', plane: 'operator' },
      schema,
      onRequest: async (request) => requireOperator(request),
    },
    async (request, reply) =>
      reply
        .headers({ 'content-type': metrics.contentType, 'cache-control': 'no-store' })
        .send(await metrics.text(isOperator(request))),
  );
}
