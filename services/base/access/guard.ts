import type { FastifyInstance } from 'fastify';
import { ApiKeys } from './api-keys.ts';
import { setMetricsKey } from './metrics-key.ts';
import { requireKey } from './require-key.ts';

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
