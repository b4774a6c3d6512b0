import { UserError } from '../../../contracts/errors.ts';
import type { AccessOptions } from './guard.ts';
import { readMetricsKey } from './metrics-key.ts';

/**
 * Who may ask, as environment variables tell: `ROOKERY_API_KEYS` (separated by commas or spaces), `ROOKERY_RATE_LIMIT`
 * (requests a minute for each key), `ROOKERY_METRICS_KEY`, `ROOKERY_CORS` (origins) and `ROOKERY_TRUST_PROXY`, unless `given`. Unset and empty mean the same. Throws
 * OPTION_INVALID.
 */
export function accessEnvironment(
  env: NodeJS.ProcessEnv,
  given: Pick<AccessOptions, 'metricsKey' | 'cors' | 'trustProxy'> & {
    readonly harnessKey?: string | undefined;
  } = {},
): AccessOptions {
  const keys = words(env.ROOKERY_API_KEYS);
  const others = [...keys, given.harnessKey ?? env.ROOKERY_HARNESS_KEY];
  return {
    keys,
    ...rateLimit(env.ROOKERY_RATE_LIMIT ?? ''),
    metricsKey: readMetricsKey(given.metricsKey, env, others),
    cors: given.cors ?? origins(env.ROOKERY_CORS),
    trustProxy: given.trustProxy ?? (env.ROOKERY_TRUST_PROXY || undefined),
  };
}

/** An origin of web pages as browsers write it, or `*`. Throws RangeError with what is wanted instead. */
export function readOrigin(text: string): string {
  if (text === '*' || (URL.canParse(text) && new URL(text).origin === text)) return text;
  throw new RangeError('the origin of a page, as https://example.org, or *');
}

function origins(text: string | undefined): string[] | undefined {
  if (!text) return undefined;
  try {
    return words(text).map(readOrigin);
  } catch (cause) {
    const fix = `${text} cannot be used; give ${(cause as Error).message}`;
    throw new UserError('OPTION_INVALID', 'ROOKERY_CORS', fix, { cause });
  }
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
