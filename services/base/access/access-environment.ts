import { UserError } from '../../../contracts/errors.ts';
import type { AccessOptions } from './guard.ts';

/**
 * Who may ask, as environment variables tell: `ROOKERY_API_KEYS` (separated by commas or spaces) and
 * `ROOKERY_RATE_LIMIT` (requests a minute for each key). Unset and empty mean the same. Throws OPTION_INVALID.
 */
export function accessEnvironment(env: NodeJS.ProcessEnv): AccessOptions {
  return { keys: words(env.ROOKERY_API_KEYS), ...rateLimit(env.ROOKERY_RATE_LIMIT ?? '') };
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
