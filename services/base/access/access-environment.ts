import { UserError } from '../../../contracts/errors.ts';
import type { AccessOptions } from './guard.ts';
import { readMetricsKey } from './metrics-key.ts';

/**
 * Who may ask, as environment variables tell: `ROOKERY_API_KEYS` (separated by commas or spaces), `ROOKERY_RATE_LIMIT`
 * (requests a minute for each key) and `ROOKERY_METRICS_KEY`, unless `given`. Unset and empty mean the same. Throws
 * OPTION_INVALID.
 */
export function accessEnvironment(
  env: NodeJS.ProcessEnv,
  given: { readonly metricsKey?: string | undefined; readonly harnessKey?: string | undefined } = {},
): AccessOptions {
  const keys = words(env.ROOKERY_API_KEYS);
  const others = [...keys, given.harnessKey ?? env.ROOKERY_HARNESS_KEY];
  return {
    keys,
    ...rateLimit(env.ROOKERY_RATE_LIMIT ?? ''),
    metricsKey: readMetricsKey(given.metricsKey, env, others),
  };
}

/** What a variable lists, separated by commas or spaces. */
export function words(text = ''): string[] {
  return text.split(/[\s,]+/).filter((word) => word !== '');
}

function rateLimit(text: string): AccessOptions {
  if (text === '') return {};
  if (/^[1-9]\d{0,9}$/.test(text)) return { rateLimit: Number(text) };
  throw new UserError('OPTION_INVALID', 'ROOKERY_RATE_LIMIT', `${text} is not a number of requests a minute`);
}
