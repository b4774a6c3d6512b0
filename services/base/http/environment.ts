import { UserError } from '../../../contracts/errors.ts';
import type { AccessOptions } from './guard.ts';
import { readMetricsKey } from './keys.ts';

/**
 * Reads access options from the environment: `ROOKERY_API_KEYS` (separated by commas or spaces), `ROOKERY_RATE_LIMIT`
 * (requests per minute and key), `ROOKERY_METRICS_KEY`, `ROOKERY_CORS` (origins) and `ROOKERY_TRUST_PROXY`. `given`
 * takes precedence. Empty counts as unset. Throws OPTION_INVALID.
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
    rateLimit: rateLimit(env.ROOKERY_RATE_LIMIT ?? ''),
    metricsKey: readMetricsKey(given.metricsKey, env, others),
    cors: given.cors ?? origins(env.ROOKERY_CORS),
    trustProxy: given.trustProxy ?? (env.ROOKERY_TRUST_PROXY || undefined),
  };
}

/** An origin as browsers write it, or `*`. Throws RangeError with the expected form. */
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

export function words(text = ''): string[] {
  return text.split(/[\s,]+/).filter((word) => word !== '');
}

function rateLimit(text: string): number | undefined {
  if (text === '') return undefined;
  if (/^[1-9]\d{0,9}$/.test(text)) return Number(text);
  throw new UserError('OPTION_INVALID', 'ROOKERY_RATE_LIMIT', `${text} is not a number of requests a minute`);
}

/**
 * Whether `ROOKERY_EXAM` turns on exam mode: `1` or `true`; unset, empty, `0` or `false` for no. Throws OPTION_INVALID.
 */
export function examEnvironment({ ROOKERY_EXAM: text = '' }: NodeJS.ProcessEnv): boolean {
  if (['', '0', 'false'].includes(text)) return false;
  if (['1', 'true'].includes(text)) return true;
  throw new UserError('OPTION_INVALID', 'ROOKERY_EXAM', `${text} cannot be used; give 1 or 0`);
}

/**
 * Reads a gateway's options from the environment: those of `accessEnvironment`, `ROOKERY_EXAM`, and `ROOKERY_DOMAINS`
 * (names of domains or of their services, or `all`). `given` takes precedence. Empty counts as unset. Throws
 * OPTION_INVALID.
 */
export function gatewayEnvironment(
  env: NodeJS.ProcessEnv,
  given?: Parameters<typeof accessEnvironment>[1],
): AccessOptions & { readonly chosen?: readonly string[]; readonly exam?: boolean } {
  const exam = examEnvironment(env) ? { exam: true } : {};
  return { ...accessEnvironment(env, given), ...domainsEnvironment(env), ...exam };
}

export function domainsEnvironment(env: NodeJS.ProcessEnv): { readonly chosen?: readonly string[] } {
  const chosen = words(env.ROOKERY_DOMAINS);
  return chosen.length === 0 || chosen.includes('all') ? {} : { chosen };
}
