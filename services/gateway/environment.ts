import { accessEnvironment, words } from '../base/access/access-environment.ts';
import { examEnvironment } from '../base/access/exam-environment.ts';
import type { AccessOptions } from '../base/access/guard.ts';

/**
 * What a gateway is told by environment variables: those of `accessEnvironment` unless `given`, `ROOKERY_EXAM`, and `ROOKERY_DOMAINS`
 * (names of domains or of their services, or `all`). Unset and empty mean the same. Throws OPTION_INVALID.
 */
export function gatewayEnvironment(
  env: NodeJS.ProcessEnv,
  given?: Parameters<typeof accessEnvironment>[1],
): AccessOptions & { readonly chosen?: readonly string[]; readonly exam?: boolean } {
  return {
    ...accessEnvironment(env, given),
    ...domainsEnvironment(env),
    ...(examEnvironment(env) ? { exam: true } : {}),
  };
}

/** Which domains `ROOKERY_DOMAINS` chooses, if it does. */
export function domainsEnvironment(env: NodeJS.ProcessEnv): { readonly chosen?: readonly string[] } {
  const chosen = words(env.ROOKERY_DOMAINS);
  return chosen.length === 0 || chosen.includes('all') ? {} : { chosen };
}
