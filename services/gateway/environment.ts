import { UserError } from '../../contracts/errors.ts';
import type { StartGatewayOptions } from './start-gateway.ts';

/**
 * What a gateway is told by environment variables: `ROOKERY_API_KEYS` (separated by commas or spaces),
 * `ROOKERY_RATE_LIMIT` (requests a minute for each key) and `ROOKERY_DOMAINS` (names of domains or of their services,
 * or `all`). Unset and empty mean the same. Throws OPTION_INVALID.
 */
export function gatewayEnvironment(
  env: NodeJS.ProcessEnv,
): Pick<StartGatewayOptions, 'keys' | 'rateLimit' | 'only'> {
  return {
    keys: words(env.ROOKERY_API_KEYS),
    ...domainsEnvironment(env),
    ...rateLimit(env.ROOKERY_RATE_LIMIT ?? ''),
  };
}

/** Which domains `ROOKERY_DOMAINS` chooses, if it does. */
export function domainsEnvironment(env: NodeJS.ProcessEnv): { readonly only?: readonly string[] } {
  const only = words(env.ROOKERY_DOMAINS);
  return only.length === 0 || only.includes('all') ? {} : { only };
}

function words(text = ''): string[] {
  return text.split(/[\s,]+/).filter((word) => word !== '');
}

function rateLimit(text: string): Pick<StartGatewayOptions, 'rateLimit'> {
  if (text === '') return {};
  if (/^[1-9]\d{0,9}$/.test(text)) return { rateLimit: Number(text) };
  throw new UserError('OPTION_INVALID', 'ROOKERY_RATE_LIMIT', `${text} is not a number of requests a minute`);
}
