import type { FastifyInstance } from 'fastify';
import { ApiKeys } from './api-keys.ts';
import { setMetricsKey } from './metrics-key.ts';
import { requireKey } from './require-key.ts';

/** Who may ask, and how much. */
export interface AccessOptions {
  /** Requests must carry one of these; empty: none is needed. */
  readonly keys?: readonly string[];
  /** Requests a minute for each key, or for each address where no keys are needed. No limit when not given. */
  readonly rateLimit?: number;
  /** Opens `/metrics` and nothing else; with it no other key but the harness's does. */
  readonly metricsKey?: string | undefined;
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
