import type { FastifyInstance, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { cameFromWorker, isInternalRequest } from '../http/listen.ts';
import { HttpProblem } from '../http/problem.ts';
import { answers, textAnswer } from '../http/typed-routes.ts';
import { ApiKeys, hasMetricsKey, isOperator, requireOperator, setMetricsKey } from './keys.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Whether pages of an origin may ask; undefined where none of another origin may. */
    isAllowedOrigin?: (origin: string) => boolean;
  }
}

/** Who may ask, and how much. */
export interface AccessOptions {
  /** Requests must carry one of these; empty: none is needed. */
  readonly keys?: readonly string[];
  /** Requests a minute for each key, or for each address where no keys are needed. No limit when not given. */
  readonly rateLimit?: number;
  /** Opens `/metrics` and nothing else; with it no other key but the harness's does. */
  readonly metricsKey?: string | undefined;
  /** Origins of web pages that may ask from a browser, or `*` for all; those of this server's own pages always may. */
  readonly cors?: readonly string[] | undefined;
  /** Addresses or networks of proxies, separated by commas, that are believed about whom they ask for. */
  readonly trustProxy?: string | undefined;
}

/** What a page may read of an answer besides its body. */
const EXPOSED = [
  'etag',
  'retry-after',
  'x-request-id',
  'x-rookery-fault',
  'x-tools-checksum',
  'mcp-session-id',
];

/**
 * Lets pages of other origins ask. Comes before keys are required: a browser asks first whether it may, without any.
 */
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

/** Requires keys and limits rates of all routes that are registered afterwards. */
export async function guard(
  app: FastifyInstance,
  { keys = [], rateLimit, metricsKey }: AccessOptions,
): Promise<void> {
  setMetricsKey(app, metricsKey);
  requireKey(app, new ApiKeys(keys));
  if (rateLimit === undefined) return;
  // Loaded only where rates are limited: a container's service has no use for it.
  const { limitRates } = await import('./limit-rates.ts');
  await limitRates(app, rateLimit);
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Answered without a key, for probes: `counted` against the limit of rates, or `free` of that too. */
    open?: 'counted' | 'free';
  }
  interface FastifyRequest {
    /** The number of the caller's API key, or -1. */
    apiKey: number;
  }
}

/** Wrong keys that an address may try in a minute; then it is told to wait. A right one is taken in any case. */
const MAX_WRONG_KEYS = 60;
const MINUTE_MS = 60_000;
const MAX_ADDRESSES = 10_000;

/** Refuses requests without one of the keys, if there are any. Must come before whatever limits rates by key. */
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

/** What a process counts, as Prometheus reads it. */
export interface Exposition {
  readonly contentType: string;
  /** `isOperator`: whether the reader has shown a key, so that what is hidden from agents may be in it. */
  text(isOperator: boolean): Promise<string | Buffer>;
}

/** `/metrics`, for those whom `requireOperator` lets through. */
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
