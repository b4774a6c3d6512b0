import { UserError } from '../../../../contracts/errors.ts';

/**
 * `ROOKERY_PEERS`: URLs of the replicas of this service, separated by commas or blanks; a name that resolves to several
 * addresses means all of them. Throws OPTION_INVALID.
 */
export function peersEnvironment(env: NodeJS.ProcessEnv): { readonly peers?: readonly URL[] } {
  const words = (env.ROOKERY_PEERS ?? '').split(/[\s,]+/).filter((word) => word !== '');
  const peers = words.map((word) => {
    const url = URL.canParse(word) ? new URL(word) : undefined;
    if (url?.protocol === 'http:') return url;
    throw new UserError(
      'OPTION_INVALID',
      'ROOKERY_PEERS',
      `${word} is not an address such as http://vet-clinics:8080`,
    );
  });
  return peers.length === 0 ? {} : { peers };
}
